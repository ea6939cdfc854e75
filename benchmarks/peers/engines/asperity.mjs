// This program, as it is installed: `asperity run` on the scenes beside this folder, double precision.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Missing } from './native.mjs';
import { Trace } from './trace.mjs';

export const name = 'Asperity';
export const precision = 'double';

export const settings = [
  { name: 'default', text: 'rk4; what a contact or a friction does not say is filled in by `asperity design scene` for that step' },
  { name: 'best', text: '`run.method = "implicit2"` and `stiffness = "rigid"`; bounces with implicit2 and a contact of 1e9 N/m in both columns' },
];

const scenes = join(dirname(fileURLToPath(import.meta.url)), '..', 'scenes');
let program = 'asperity';
export async function load(path) {
  program = path ?? program;
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().replace(/^asperity /, '');
  } catch {
    throw new Missing(`no program ${program}: make build`);
  }
}

// The columns of a table as 13 numbers of a body: in space, on a line, or as the angle of the first joint of an arm.
function reader(columns, body) {
  const at = (name) => columns.indexOf(name);
  const all = (names) => names.map((name) => at(`${body}.${name}`));
  if (at(`${body}.position.x`) >= 0) {
    const spins = at(`${body}.rotation.w`) >= 0;
    const place = all(['position.x', 'position.y', 'position.z']);
    const turned = spins ? all(['rotation.w', 'rotation.x', 'rotation.y', 'rotation.z']) : null;
    const speed = all(['velocity.x', 'velocity.y', 'velocity.z']);
    const spin = spins ? all(['spin.x', 'spin.y', 'spin.z']) : null;
    return (row) => [...place.map((i) => row[i]), ...(turned ? turned.map((i) => row[i]) : [1, 0, 0, 0]), ...speed.map((i) => row[i]), ...(spin ? spin.map((i) => row[i]) : [0, 0, 0])];
  }
  if (body == 'rod') {
    const [angle, rate] = [at('arm.joint1.position'), at('arm.joint1.velocity')];
    return (row) => [0.5 * Math.cos(row[angle]), 0, 0.5 * Math.sin(row[angle]), 1, 0, 0, 0, 0, 0, 0, 0, -row[rate], 0];
  }
  const [place, speed] = all(['position', 'velocity']);
  if (body == 'ball') return (row) => [0, 0, row[place] + 0.1, 1, 0, 0, 0, 0, 0, row[speed], 0, 0, 0];
  return (row) => [row[place], 0, 0, 1, 0, 0, 0, row[speed], 0, 0, 0, 0, 0];
}

export function run(scene, h, setting) {
  const { scene: file, set = {}, stiff = [] } = scene.asperity;
  const values = { 'run.step': h, 'run.duration': Math.round(scene.duration / h) * h, ...set };
  const folder = mkdtempSync(join(tmpdir(), 'asperity-peers-'));
  try {
    let path = join(scenes, `${file}.toml`);
    let sets = Object.entries(values);
    if (setting == 'best') {
      sets.push(['run.method', 'implicit2'], ...stiff.map((element) => [`${element}.stiffness`, 'rigid']));
    } else if (stiff.length) {
      const designed = join(folder, 'designed.toml');
      execFileSync(program, ['design', 'scene', path, ...sets.flatMap(([key, value]) => ['--set', `${key}=${value}`]), '--write', designed], { stdio: 'ignore' });
      [path, sets] = [designed, []];
    }
    const out = join(folder, 'out');
    const result = spawnSync(program, ['run', path, ...sets.flatMap(([key, value]) => ['--set', `${key}=${value}`]), '-o', out, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (result.status > 1) throw new Error(result.stderr);
    const lines = readFileSync(join(out, 'data.csv'), 'utf8').trim().split('\n');
    const columns = lines.shift().split(',');
    const trace = new Trace(h, scene.bodies.map((body) => body.name));
    const readers = scene.bodies.map((body) => reader(columns, body.name));
    for (const line of lines) {
      const row = line.split(',').map(Number);
      for (const read of readers) trace.numbers.push(...read(row));
    }
    // A run that judges itself wrong ends with 1.
    if (result.status == 1) trace.warned = result.stderr.trim().split('\n').pop();
    return trace;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
