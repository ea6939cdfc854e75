// DART, from Debian, in double precision.
import * as native from './native.mjs';

export const name = 'DART';
export const precision = 'double';

export const settings = [
  { name: 'default', text: "as it is: boxed LCP by Dantzig's method, collisions by FCL, which makes a mesh of a sphere" },
  { name: 'best', text: 'collisions by its own DARTCollisionDetector, which gives a box its four corners; the first friction direction of a body turned to its velocity' },
];

let program;
export async function load() {
  program = native.build('dart', 'dart');
  return native.version('dart');
}
export const run = (scene, h, setting) => native.run(program, scene, h, setting);
