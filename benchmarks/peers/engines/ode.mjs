// The Open Dynamics Engine, from Debian, in double precision.
import * as native from './native.mjs';

export const name = 'ODE';
export const precision = 'double';

export const settings = [
  { name: 'default', text: 'dWorldQuickStep (20 iterations), ERP and CFM as they are, contacts with dContactApprox1 so that mu is a coefficient' },
  { name: 'best', text: 'dWorldStep, the solver with the big matrix; the first friction direction of each contact turned to its slip (dContactFDir1); bounce from 1e-3 m/s on' },
];

let program;
export async function load() {
  program = native.build('ode', 'ode');
  return native.version('ode');
}
export const run = (scene, h, setting) => native.run(program, scene, h, setting);
