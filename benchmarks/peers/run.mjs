// Runs every case on every engine that is there, at both settings and three steps, and writes results.json; page.py makes the page of it.
//   node run.mjs [--program build/asperity] [--only FAMILY,...] [--engines NAME,...] [-o results.json]
// What is not chosen stays as it was in the results.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { families, steps } from './cases.mjs';
import { Missing } from './engines/native.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    program: { type: 'string', default: 'asperity' },
    only: { type: 'string' },
    engines: { type: 'string' },
    output: { type: 'string', short: 'o', default: join(here, 'results.json') },
  },
});
const files = ['asperity', 'mujoco', 'rapier', 'jolt', 'bullet', 'ode', 'dart'];
function chosen(option, all) {
  const words = options[option]?.split(',') ?? all;
  const unknown = words.find((word) => !all.includes(word));
  if (unknown !== undefined) {
    console.error(`run.mjs: --${option} ${unknown}: must be one of ${all.join(', ')}`);
    process.exit(2);
  }
  return words;
}
const chosen_families = chosen('only', families.map((family) => family.name));
const chosen_engines = chosen('engines', files);
const partly = options.only || options.engines;
const former = partly && existsSync(options.output) ? JSON.parse(readFileSync(options.output, 'utf8')) : { engines: [], missing: [], families: [] };

// Numbers of a table need no more digits, and reruns that differ in rounding only make no new page.
const short = (x) => (Number.isFinite(x) ? Number(x.toPrecision(3)) : null);

const results = { steps: steps.map((step) => step.label), engines: [], missing: [], families: [] };
const loaded = new Map();
for (const file of files) {
  const engine = await import(`./engines/${file}.mjs`);
  if (!chosen_engines.includes(file)) {
    for (const list of ['engines', 'missing']) results[list].push(...former[list].filter((each) => each.name == engine.name));
    continue;
  }
  try {
    const version = await engine.load(file == 'asperity' ? options.program : undefined);
    loaded.set(engine.name, engine);
    results.engines.push({ name: engine.name, version, precision: engine.precision, settings: engine.settings });
  } catch (error) {
    // The page says why in a few words; the whole message, which may name folders of this machine, goes here.
    console.error(`run.mjs: without ${engine.name}: ${error.message}`);
    if (file == 'asperity') process.exit(2);
    const why = error instanceof Missing ? error.message : error.code == 'ERR_MODULE_NOT_FOUND' ? 'not installed by npm' : 'could not be built or loaded';
    results.missing.push({ name: engine.name, why });
  }
}

function values(family, engine) {
  const all = {};
  for (const setting of engine.settings) {
    all[setting.name] = {};
    for (const step of steps) {
      process.stderr.write(`\r\x1b[K${family.name}: ${engine.name}, ${setting.name}, ${step.label}`);
      const traces = family.runs.map((scene) => engine.run(scene, step.h, setting.name));
      const cell = Object.fromEntries(family.measures.map((measure) => [measure.key, short(measure.of(traces))]));
      if (traces.some((trace) => trace.warned)) cell.warned = true;
      if (family.detail) cell.detail = family.detail(traces).map((point) => point.map(short));
      all[setting.name][step.label] = cell;
    }
  }
  return all;
}

for (const family of families) {
  const kept = former.families.find((each) => each.name == family.name);
  if (!chosen_families.includes(family.name)) {
    if (kept) results.families.push(kept);
    continue;
  }
  const { name, title, text, exact, needs } = family;
  const measures = family.measures.map(({ key, label, unit, equal, lost }) => ({ key, label, unit, equal, lost }));
  const entry = { name, title, text, exact, needs, measures, values: {} };
  for (const engine of results.engines) {
    if (needs && engine.name != 'Asperity') continue;
    const found = loaded.has(engine.name) ? values(family, loaded.get(engine.name)) : kept?.values[engine.name];
    if (found) entry.values[engine.name] = found;
  }
  results.families.push(entry);
}
process.stderr.write('\r\x1b[K');
// Written by hand, a line for each cell: a change of one figure is a change of one line.
const cells = JSON.stringify(results, null, 1).replace(/\{\s+"[a-z]+": (?:[^{}[\]]|\[[^{}]*?\])*\}/g, (cell) => cell.replace(/\s+/g, ' '));
writeFileSync(options.output, cells + '\n');
console.log(`wrote ${options.output}`);
