// The motion of the bodies of a run: a row for each step, of each body 13 numbers: position, quaternion (w, x, y, z), velocity, spin in the world.
export class Trace {
  constructor(h, names) {
    this.h = h;
    this.names = names;
    this.numbers = [];
  }
  get rows() {
    return this.numbers.length / (13 * this.names.length);
  }
  at(name, row, from, count) {
    const begin = 13 * (row * this.names.length + this.names.indexOf(name)) + from;
    return this.numbers.slice(begin, begin + count);
  }
  p(name, row) {
    return this.at(name, row, 0, 3);
  }
  q(name, row) {
    return this.at(name, row, 3, 4);
  }
  v(name, row) {
    return this.at(name, row, 7, 3);
  }
}

// Steps of a scene: some at rest, then the clock starts. `set` gives a body its velocity and spin, `push` applies the forces of this step,
// `step` takes it, `read` gives the 13 numbers of a body.
export function play(scene, h, { set, push, step, read }) {
  const trace = new Trace(h, scene.bodies.map((body) => body.name));
  const settle = Math.round(scene.settle / h);
  const steps = Math.round(scene.duration / h);
  const record = () => scene.bodies.forEach((body) => trace.numbers.push(...read(body)));
  for (let i = -settle; i <= steps; ++i) {
    if (i == 0) {
      scene.bodies.filter((body) => body.velocity || body.spin).forEach((body) => set(body, body.velocity ?? [0, 0, 0], body.spin ?? [0, 0, 0]));
    }
    if (i >= 0) record();
    if (i == steps) break;
    const forces = scene.force ? scene.force(i * h) : {};
    scene.bodies.forEach((body) => push(body, forces[body.name] ?? [0, 0, 0]));
    step();
  }
  return trace;
}
