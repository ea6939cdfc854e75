// MuJoCo, from npm: the official bindings, double precision.
import { play } from './trace.mjs';

export const name = 'MuJoCo';
export const precision = 'double';

export const settings = [
  { name: 'default', text: 'all options as they are (Euler, Newton, pyramidal cone, impratio 1, solref 0.02 1); for bounces solref (-k, -b) with the stiffness of that solref, k = 52.6² 1/s², and solimp 0.9999' },
  {
    name: 'best',
    text: 'integrator implicitfast, elliptic cone, impratio 10, noslip_iterations 50 (tolerance 0), iterations 200, tolerance 1e-12, solref "2h 1" (as stiff as the documentation allows); for bounces RK4, cone and solver as by default, k = max(52.6, 0.1/h)² 1/s²',
  },
];

let mujoco;
export async function load() {
  const loader = (await import('@mujoco/mujoco')).default;
  mujoco = await loader();
  return mujoco.mj_versionString();
}

// MuJoCo has no restitution: a contact is a spring and a damper of unit mass that only pushes, solref = (-k, -b). This damping ratio gives e: it starts with
// speed 1, u'' + 2 z u' + u = 0, and lets go when the force 2 z u' + u is zero.
export function damping_ratio(e) {
  const restitution = (z) => {
    const w = Math.sqrt(1 - z * z);
    // u = exp(-z t) sin(w t)/w; 2 z u' + u = 0 at tan(w t) = -2 z w/(1 - 2 z^2)
    const t = (Math.PI - Math.atan2(2 * z * w, 1 - 2 * z * z)) / w;
    return -Math.exp(-z * t) * (Math.cos(w * t) - (z / w) * Math.sin(w * t));
  };
  let [low, high] = [0, 0.7];
  for (let i = 0; i < 100; ++i) {
    const middle = (low + high) / 2;
    if (restitution(middle) > e) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function xml(scene, h, best) {
  const list = (values) => values.join(' ');
  let option = `timestep="${h}" gravity="${list(scene.gravity)}"`;
  let geom = `friction="${scene.mu} 0 0"`;
  let joint = '';
  if (best) {
    option += ' integrator="implicitfast" cone="elliptic" impratio="10" noslip_iterations="50" noslip_tolerance="0" iterations="200" tolerance="1e-12"';
    geom += ` solref="${2 * h} 1"`;
    joint = ` solreffriction="${2 * h} 1"`;
  }
  if (scene.e !== undefined) {
    // The stiffness of the default solref, or, at best, 0.3 rad a step where that is stiffer; RK4 keeps the energy of the spring.
    const omega = best ? Math.max(52.6, 0.1 / h) : 52.6;
    if (best) option = `timestep="${h}" gravity="${list(scene.gravity)}" integrator="RK4"`;
    geom = `friction="0 0 0" condim="1" solref="${-omega * omega} ${-2 * damping_ratio(scene.e) * omega}" solimp="0.9999 0.9999 0.001 0.5 2"`;
  }
  const bodies = scene.bodies.map((body) => {
    const shape = body.radius ? `type="sphere" size="${body.radius}"` : `type="box" size="${list(body.half)}"`;
    let freedom = '<freejoint/>';
    if (body.free == 'x') freedom = '<joint type="slide" axis="1 0 0"/>';
    if (scene.joint) {
      const pos = scene.joint.at.map((x, i) => x - body.position[i]);
      freedom = `<joint type="hinge" pos="${list(pos)}" axis="${list(scene.joint.axis)}" frictionloss="${scene.joint.torque}"${joint}/>`;
    }
    return `<body name="${body.name}" pos="${list(body.position)}">${freedom}<geom ${shape} mass="${body.mass}"/></body>`;
  });
  return `<mujoco><option ${option}/><default><geom ${geom}/></default><worldbody>
    ${scene.floor ? '<geom type="plane" size="0 0 1"/>' : ''}${bodies.join('')}</worldbody></mujoco>`;
}

const rotate = ([w, x, y, z], [a, b, c]) => {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
};

export function run(scene, h, setting) {
  const model = mujoco.MjModel.from_xml_string(xml(scene, h, setting == 'best'));
  const data = new mujoco.MjData(model);
  mujoco.mj_forward(model, data);
  const id = new Map(scene.bodies.map((body, i) => [body.name, i + 1]));
  const free = (body) => !body.free && !scene.joint;
  const dof = (body) => model.body_dofadr[id.get(body.name)];
  const trace = play(scene, h, {
    set: (body, velocity, spin) => [...velocity, ...spin].forEach((x, i) => (data.qvel[dof(body) + i] = x)),
    push: (body, force) => force.forEach((x, i) => (data.xfrc_applied[6 * id.get(body.name) + i] = x)),
    step: () => mujoco.mj_step(model, data),
    read: (body) => {
      const n = id.get(body.name);
      if (free(body)) {
        const at = model.jnt_qposadr[model.body_jntadr[n]];
        const q = Array.from(data.qpos.slice(at, at + 7));
        const v = Array.from(data.qvel.slice(dof(body), dof(body) + 6));
        return [...q, ...v.slice(0, 3), ...rotate(q.slice(3), v.slice(3))];
      }
      // After a step the positions of other bodies are those of its beginning: from the joint instead.
      const q = data.qpos[model.jnt_qposadr[model.body_jntadr[n]]];
      const v = data.qvel[dof(body)];
      if (body.free) return [body.position[0] + q, body.position[1], body.position[2], 1, 0, 0, 0, v, 0, 0, 0, 0, 0];
      const r = Math.hypot(...body.position);
      return [r * Math.cos(q), 0, -r * Math.sin(q), Math.cos(q / 2), 0, Math.sin(q / 2), 0, -r * v * Math.sin(q), 0, -r * v * Math.cos(q), 0, v, 0];
    },
  });
  data.delete();
  model.delete();
  return trace;
}
