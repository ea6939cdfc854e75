// Rapier, from npm, single precision.
import { play } from './trace.mjs';

export const name = 'Rapier';
export const precision = 'single';

export const settings = [
  { name: 'default', text: 'integration parameters as they are (4 solver iterations, contact_natural_frequency 30)' },
  { name: 'best', text: 'numSolverIterations 16, numInternalPgsIterations 4 (more iterations are shorter substeps, and rounding of single precision shows)' },
];

let RAPIER;
export async function load() {
  RAPIER = (await import('@dimforge/rapier3d-compat')).default;
  await RAPIER.init();
  return RAPIER.version();
}

const vector = ([x, y, z]) => ({ x, y, z });

export function run(scene, h, setting) {
  const world = new RAPIER.World(vector(scene.gravity));
  const parameters = world.integrationParameters;
  parameters.dt = h;
  if (setting == 'best') {
    parameters.numSolverIterations = 16;
    parameters.numInternalPgsIterations = 4;
  }
  const surface = (collider) => collider.setFriction(scene.mu).setRestitution(scene.e ?? 0);
  if (scene.floor) {
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, 0, -1));
    world.createCollider(surface(RAPIER.ColliderDesc.cuboid(20, 20, 1)), ground);
  }
  const bodies = new Map();
  for (const body of scene.bodies) {
    const description = RAPIER.RigidBodyDesc.dynamic().setTranslation(...body.position).setCanSleep(false);
    if (body.free == 'x') description.enabledTranslations(true, false, false).lockRotations();
    const made = world.createRigidBody(description);
    const shape = body.radius ? RAPIER.ColliderDesc.ball(body.radius) : RAPIER.ColliderDesc.cuboid(...body.half);
    world.createCollider(surface(shape).setMass(body.mass), made);
    bodies.set(body.name, made);
  }
  if (scene.joint) {
    const { at, axis, torque, body } = scene.joint;
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    const position = scene.bodies.find((each) => each.name == body).position;
    const anchor = at.map((x, i) => x - position[i]);
    const joint = world.createImpulseJoint(RAPIER.JointData.revolute(vector(at), vector(anchor), vector(axis)), ground, bodies.get(body), true);
    // Dry friction as a motor to rest with a bounded torque.
    joint.configureMotorVelocity(0, 1e6);
    joint.setMotorMaxForce(torque);
  }
  const trace = play(scene, h, {
    set: (body, velocity, spin) => {
      bodies.get(body.name).setLinvel(vector(velocity), true);
      bodies.get(body.name).setAngvel(vector(spin), true);
    },
    push: (body, force) => {
      bodies.get(body.name).resetForces(true);
      bodies.get(body.name).addForce(vector(force), true);
    },
    step: () => world.step(),
    read: (body) => {
      const made = bodies.get(body.name);
      const [p, q, v, w] = [made.translation(), made.rotation(), made.linvel(), made.angvel()];
      return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    },
  });
  world.free();
  return trace;
}
