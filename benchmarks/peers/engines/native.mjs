// Engines that are Debian packages: a small program each, built here, that takes a scene and gives the motion.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Trace } from './trace.mjs';

const here = dirname(fileURLToPath(import.meta.url));

export class Missing extends Error {}

// Builds engines/SOURCE.cpp with the flags of a pkg-config package, unless it is there and newer.
export function build(source, module) {
  let flags;
  try {
    flags = execFileSync('pkg-config', ['--cflags', '--libs', module], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split(/\s+/);
  } catch {
    throw new Missing(`not installed: pkg-config does not find ${module}`);
  }
  const folder = join(here, '..', '..', '..', 'build', 'peers');
  const program = join(folder, source);
  const code = [join(here, `${source}.cpp`), join(here, 'native.hpp')];
  if (existsSync(program) && code.every((file) => statSync(file).mtimeMs < statSync(program).mtimeMs)) return program;
  mkdirSync(folder, { recursive: true });
  // The headers of the engines as system headers: their warnings are not ours.
  const includes = flags.flatMap((flag) => (flag.startsWith('-I') ? ['-isystem', flag.slice(2)] : [flag]));
  execFileSync(process.env.CXX ?? 'g++', ['-std=c++20', '-O2', '-Wall', '-Wextra', code[0], '-o', program, ...includes.filter((flag) => !flag.startsWith('-std='))], { stdio: 'inherit' });
  return program;
}

export const version = (module) => execFileSync('pkg-config', ['--modversion', module], { encoding: 'utf8' }).trim();

export function run(program, scene, h, setting) {
  const settle = Math.round(scene.settle / h);
  const steps = Math.round(scene.duration / h);
  const names = scene.bodies.map((body) => body.name);
  const forces_at = (t) => { const forces = scene.force(t); return names.map((name) => forces[name] ?? [0, 0, 0]); };
  const input = {
    h, settle, steps, gravity: scene.gravity, floor: scene.floor, mu: scene.mu, e: scene.e ?? 0, best: setting == 'best', bodies: scene.bodies,
    joints: scene.joint ? [{ ...scene.joint, body: names.indexOf(scene.joint.body) }] : [],
    forces: scene.force ? Array.from({ length: settle + steps }, (_, i) => forces_at((i - settle) * h)) : [],
  };
  const result = spawnSync(program, [], { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 30 });
  if (result.status !== 0) throw new Error(`${program}: ${result.stderr || `ended with ${result.signal ?? result.status}`}`);
  const trace = new Trace(h, names);
  trace.numbers = result.stdout.trim().split(/\s+/).map(Number);
  return trace;
}
