// Bullet, from Debian, in double precision.
import * as native from './native.mjs';

export const name = 'Bullet';
export const precision = 'double';

export const settings = [
  { name: 'default', text: 'btDiscreteDynamicsWorld with the sequential impulse solver, solver info as it is (10 iterations)' },
  { name: 'best', text: '200 iterations, m_splitImpulsePenetrationThreshold 0, m_restitutionVelocityThreshold 1e-3; for bounces setContactProcessingThreshold(0) (btNNCGConstraintSolver, btMLCPSolver and SOLVER_USE_2_FRICTION_DIRECTIONS were tried: better at one scene and worse at others)' },
];

let program;
export async function load() {
  program = native.build('bullet', 'bullet-float64');
  return native.version('bullet-float64');
}
export const run = (scene, h, setting) => native.run(program, scene, h, setting);
