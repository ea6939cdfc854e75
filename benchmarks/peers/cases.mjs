// What every engine is asked to do, and what the exact answer is. Each family has runs, one scene description each, and measures with
// an exact value in closed form. The contact in all closed forms is rigid with Coulomb friction: |f| <= mu N while it sticks, mu N against the
// slip while it slides. SI units, z is up.
//
// A scene: gravity; bodies (box with `half` sides or sphere with `radius`; `free: 'x'` may only move along x); mu; e, the restitution;
// `floor: true` puts a fixed floor with its surface at z = 0; `settle`, seconds at rest before the clock starts, so that soft contacts
// have sunk in; `velocity` and `spin` of a body are given to it when the clock starts; force(t), of each body, is constant over a step, as seen at its beginning;
// a joint is a hinge to the ground with dry friction. `asperity` names the scene file and what is set in it.

const g = 9.81;
const turn = Math.PI / 180;

// A box of 1 kg. Its height and friction are such that it cannot tip.
const box = (more) => ({ name: 'box', half: [0.1, 0.1, 0.05], mass: 1, position: [0, 0, 0.05], ...more });
const level = [0, 0, -g];

// -- readings of a trace: `p(name, row)` is a position, `rows` the number of rows, `h` the step

const row_at = (trace, t) => Math.round(t / trace.h);
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const worst = (values) => values.reduce((a, b) => (Number.isFinite(a) && (Math.abs(a) >= Math.abs(b)) ? a : b));

// Mean speed of a coordinate over the whole run.
function creep(trace, reading) {
  const last = trace.rows - 1;
  return (reading(trace, last) - reading(trace, 0)) / (last * trace.h);
}

// The same under a load of angular frequency omega, from 1 s on: means over whole periods, so that elastic motion within a period is not taken for creep.
function drift(trace, omega, reading) {
  const period = (2 * Math.PI) / omega;
  const window = Math.max(1, Math.round((Math.ceil(1 / period) * period) / trace.h));
  const last = trace.rows - 1;
  const first = row_at(trace, 1) + window;
  const mean_until = (row) => mean(Array.from({ length: window }, (_, i) => reading(trace, row - i)));
  return (mean_until(last) - mean_until(first)) / ((last - first) * trace.h);
}

// Heights of the peaks, each by a parabola through its three highest rows: exact for a fall that is stepped by any of the engines.
function peaks(trace, name) {
  const z = (row) => trace.p(name, row)[2];
  const found = [];
  for (let row = 1; row + 1 < trace.rows; ++row) {
    const [a, b, c] = [z(row - 1), z(row), z(row + 1)];
    if (b > a && b >= c) found.push(b + ((c - a) * (c - a)) / (8 * (2 * b - a - c)));
  }
  return found;
}

// Turned about z since the start, without a jump at 180 degrees.
function yaw(trace, name) {
  let sum = 0;
  let before = 0;
  for (let row = 0; row < trace.rows; ++row) {
    const [w, x, y, z] = trace.q(name, row);
    const angle = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    let change = angle - before;
    change -= 2 * Math.PI * Math.round(change / (2 * Math.PI));
    sum += change;
    before = angle;
  }
  return sum;
}

// Of a rod that hangs on a hinge at the origin with axis y: how far it is below the horizontal.
const below = (trace, row) => Math.atan2(-trace.p('rod', row)[2], trace.p('rod', row)[0]);

// A rod with weight moment `weight` and friction `torque` falls from the horizontal: weight * (sin b - sin a) = torque |b - a| between turning
// points a and b; at the first one where weight |cos| <= torque it stays.
export function rod_rests_at(weight, torque) {
  let from = 0;
  for (;;) {
    if (Math.abs(weight * Math.cos(from)) <= torque) return from;
    const forward = Math.cos(from) > 0 ? 1 : -1;
    const energy = (angle) => weight * (Math.sin(angle) - Math.sin(from)) - torque * Math.abs(angle - from);
    // The kinetic energy rises from zero, has its maximum beyond which it falls, and is zero again before the opposite point.
    let low = forward > 0 ? Math.acos(torque / weight) : Math.acos(-torque / weight);
    let high = from + forward * 2 * Math.PI;
    for (let i = 0; i < 200; ++i) {
      const middle = (low + high) / 2;
      if (energy(middle) > 0) low = middle;
      else high = middle;
    }
    from = low;
  }
}

// Of a measure: `equal`, below which a difference means nothing (rounding of the engine, or of the reading), and `lost`, beyond which the thing is no longer held.

// -- the families

const slope_angle = 15 * turn;
const slope = {
  name: 'slope',
  title: 'Hold on a slope',
  text: 'A box of 1 kg at rest on a slope of 15 degrees, mu = 0.5 (it would slide beyond 26.6 degrees). Gravity is tilted instead of the floor. 10 s; mean speed.',
  exact: 'it does not move',
  runs: [
    {
      gravity: [g * Math.sin(slope_angle), 0, -g * Math.cos(slope_angle)],
      floor: true, mu: 0.5, settle: 1, duration: 10, bodies: [box()],
      asperity: { scene: 'slope', stiff: ['floor'] },
    },
  ],
  measures: [{ key: 'creep', label: 'creep', unit: 'm/s', equal: 1e-9, lost: 0.05, of: ([trace]) => Math.abs(creep(trace, (t, row) => t.p('box', row)[0])) }],
};

const loads = [10, 30, 100, 300, 1000];
const shaken = {
  name: 'oscillating-load',
  title: 'Hold under an oscillating load',
  text: `A box of 1 kg on a level floor, mu = 0.5, pushed by mu m g (0.6 + 0.3 cos(omega t)), omega = ${loads.join(', ')} rad/s, after a ramp of 0.5 s: never more than 90 % of what the floor holds. 10 s; mean speed from 1 s on, the worst of the five.`,
  exact: 'it does not drift',
  runs: loads.map((omega) => ({
    gravity: level, floor: true, mu: 0.5, settle: 1, duration: 10, bodies: [box()],
    force: (t) => ({ box: [t <= 0 ? 0 : 0.5 * g * Math.min(1, t / 0.5) * (0.6 + 0.3 * Math.cos(omega * t)), 0, 0] }),
    omega,
    asperity: { scene: 'oscillating_load', stiff: ['floor'], set: { 'let.omega': omega } },
  })),
  measures: [
    {
      key: 'drift', label: 'drift, worst', unit: 'm/s', equal: 1e-9, lost: 0.05,
      of: (traces) => Math.max(...traces.map((trace, i) => Math.abs(drift(trace, loads[i], (t, row) => t.p('box', row)[0])))),
    },
  ],
};

const squeeze = 1.5;
// The pads begin 10 um inside the cube: engines that know a contact by its depth have it from the first step on.
const pad = (name, x) => ({ name, half: [0.01, 0.05, 0.05], mass: 1, position: [x, 0, 0], free: 'x' });
const pinch = {
  name: 'pinch',
  title: 'Pinch between two pads',
  text: 'A cube of 0.1 kg and 40 mm between two pads that can move along x only and press with 1.5 N each, mu = 0.5: the weight is 65 % of what they hold. 10 s; mean speed relative to the pads.',
  exact: 'it does not move',
  runs: [
    {
      gravity: level, floor: false, mu: 0.5, settle: 1, duration: 10,
      bodies: [{ name: 'cube', half: [0.02, 0.02, 0.02], mass: 0.1, position: [0, 0, 0] }, pad('left', -0.02999), pad('right', 0.02999)],
      force: () => ({ left: [squeeze, 0, 0], right: [-squeeze, 0, 0] }),
      asperity: { scene: 'pinch', stiff: ['left_face', 'right_face'] },
    },
  ],
  measures: [{ key: 'creep', label: 'creep', unit: 'm/s', equal: 1e-9, lost: 0.05, of: ([trace]) => Math.abs(creep(trace, (t, row) => t.p('cube', row)[2] - t.p('left', row)[2])) }],
};

const speed = 2;
const directions = Array.from({ length: 8 }, (_, i) => 11.25 * i);
// Coulomb friction takes mu g from the speed, whatever the shares of the corners: v0^2/(2 mu g), straight ahead.
const stop_distance = speed ** 2 / (2 * 0.5 * g);
const path = (trace) => {
  const [a, b] = [trace.p('box', 0), trace.p('box', trace.rows - 1)];
  return [b[0] - a[0], b[1] - a[1]];
};
const slide = {
  name: 'slide',
  title: 'Slide to a stop in eight directions',
  text: `A box of 1 kg slides with 2 m/s on a level floor, mu = 0.5, in directions of ${directions.join(', ')} degrees to the axes. 2 s; the worst of the eight.`,
  exact: `v²/(2 mu g) = ${stop_distance.toFixed(6)} m, straight ahead`,
  runs: directions.map((degrees) => ({
    gravity: level, floor: true, mu: 0.5, settle: 1, duration: 2,
    bodies: [box({ velocity: [speed * Math.cos(degrees * turn), speed * Math.sin(degrees * turn), 0] })],
    degrees,
    asperity: { scene: 'slide', stiff: ['floor'], set: { 'let.degrees': degrees } },
  })),
  // For the picture: where it stops, as shares of the exact distance.
  detail: (traces) => traces.map((trace) => path(trace).map((x) => x / stop_distance)),
  measures: [
    { key: 'distance', label: 'distance, relative error', unit: '1', equal: 1e-5, of: (traces) => worst(traces.map((trace) => Math.hypot(...path(trace)) / stop_distance - 1)) },
    {
      key: 'direction', label: 'direction, error', unit: 'deg', equal: 1e-3,
      of: (traces) => Math.max(...traces.map((trace, i) => {
        const [x, y] = path(trace);
        return Math.abs(Math.atan2(y, x) / turn - directions[i]);
      })),
    },
  ],
};

// A sphere slides with mu g until v = v0 - mu g t meets its turning, w R = (5/2) mu g t: at t1 = 2 v0/(7 mu g), with 5/7 of its speed.
const roll_mu = 0.2;
const roll_time = (2 * speed) / (7 * roll_mu * g);
const roll_speed = (5 / 7) * speed;
const roll_path = speed * roll_time - (roll_mu * g * roll_time ** 2) / 2 + roll_speed * (2 - roll_time);
const roll = {
  name: 'roll',
  title: 'From sliding to rolling',
  text: 'A uniform sphere of 1 kg and radius 0.1 m set sliding with 2 m/s without spin, mu = 0.2: it slides for 0.29 s and then rolls. 2 s.',
  exact: `5/7 of the speed, ${roll_path.toFixed(6)} m far`,
  runs: [
    {
      gravity: level, floor: true, mu: roll_mu, settle: 1, duration: 2,
      bodies: [{ name: 'ball', radius: 0.1, mass: 1, position: [0, 0, 0.1], velocity: [speed, 0, 0] }],
      asperity: { scene: 'roll', stiff: ['floor'] },
    },
  ],
  measures: [
    { key: 'speed', label: 'speed, relative error', unit: '1', equal: 1e-5, of: ([trace]) => trace.v('ball', trace.rows - 1)[0] / roll_speed - 1 },
    { key: 'distance', label: 'distance, relative error', unit: '1', equal: 1e-5, of: ([trace]) => (trace.p('ball', trace.rows - 1)[0] - trace.p('ball', 0)[0]) / roll_path - 1 },
  ],
};

// From rest at height 1 m above the floor, a rebound with e reaches e^2 of it.
const drop = (e, duration) => ({
  gravity: level, floor: true, mu: 0, e, settle: 0, duration,
  bodies: [{ name: 'ball', radius: 0.1, mass: 1, position: [0, 0, 1.1] }],
  asperity: { scene: 'bounce', set: e == 1 ? { 'floor.alpha': 1.86825e-5 } : {} },
});
const bounce = {
  name: 'bounce',
  title: 'Bounce, restitution 1/2',
  text: 'A sphere of 1 kg and radius 0.1 m falls 1 m onto a floor with restitution 0.5. The restitution is measured by the height of the first rebound.',
  exact: '0.5: it rises 0.25 m',
  runs: [drop(0.5, 1.2)],
  measures: [{ key: 'restitution', label: 'restitution, relative error', unit: '1', equal: 1e-5, of: ([trace]) => Math.sqrt(Math.max(0, (peaks(trace, 'ball')[0] ?? 0.1) - 0.1)) / 0.5 - 1 }],
};
const elastic = {
  name: 'elastic',
  title: 'Elastic bounce, ten times',
  text: 'The same with restitution 1, until the tenth rebound.',
  exact: 'it rises 1 m each time',
  runs: [drop(1, 9.6)],
  measures: [
    { key: 'height', label: 'height of the 10th rebound, relative error', unit: '1', equal: 1e-5, of: ([trace]) => { const found = peaks(trace, 'ball'); return found.length == 0 ? -1 : (found[9] ?? found.at(-1)) - 0.1 - 1; } },
  ],
};

const heavy = {
  name: 'heavy-on-light',
  title: 'Heavy on light, 1000 : 1',
  text: 'A cube of 1000 kg stands on a cube of 1 kg, both of 0.2 m, on a floor. 5 s, from touching; how far the upper one is from where it should be, the worst of the last second.',
  exact: 'its centre is 0.3 m above the floor',
  runs: [
    {
      gravity: level, floor: true, mu: 0.5, settle: 0, duration: 5,
      bodies: [
        { name: 'light', half: [0.1, 0.1, 0.1], mass: 1, position: [0, 0, 0.1] },
        { name: 'heavy', half: [0.1, 0.1, 0.1], mass: 1000, position: [0, 0, 0.3] },
      ],
      asperity: { scene: 'heavy_on_light', stiff: ['floor', 'top'] },
    },
  ],
  measures: [
    {
      key: 'off', label: 'off its place', unit: 'm', equal: 1e-6, lost: 0.05,
      of: ([trace]) => {
        let most = 0;
        for (let row = row_at(trace, 4); row < trace.rows; ++row) {
          const [x, y, z] = trace.p('heavy', row);
          most = Math.max(most, Math.hypot(x, y, z - 0.3));
        }
        return most;
      },
    },
  ],
};

// Four equal corners at r from the axis: the moment mu m g r stops I = m (a^2 + b^2)/12 after w0^2 I/(2 mu m g r) rad.
const spin_rate = 30;
const spin_angle = (spin_rate ** 2 * ((0.2 ** 2 + 0.2 ** 2) / 12)) / (2 * 0.2 * g * Math.hypot(0.1, 0.1));
const spin = {
  name: 'spin',
  title: 'Spinning box on a floor',
  text: 'The box spins with 30 rad/s about the vertical, mu = 0.2, and stands on its four corners, as all of these engines have it. 2 s.',
  exact: `it turns by w²I/(2 mu m g r) = ${spin_angle.toFixed(4)} rad and stays in its place`,
  runs: [
    {
      gravity: level, floor: true, mu: 0.2, settle: 1, duration: 2, bodies: [box({ spin: [0, 0, spin_rate] })],
      asperity: { scene: 'spin', stiff: ['floor'] },
    },
  ],
  measures: [
    { key: 'angle', label: 'angle, relative error', unit: '1', equal: 1e-5, of: ([trace]) => yaw(trace, 'box') / spin_angle - 1 },
    { key: 'wander', label: 'moved away', unit: 'm', equal: 1e-6, of: ([trace]) => Math.hypot(...path(trace)) },
  ],
};

const rod = { name: 'rod', half: [0.5, 0.025, 0.025], mass: 1, position: [0.5, 0, 0] };
const weight = 1 * g * 0.5;
const hinge = (share, duration) => ({
  gravity: level, floor: false, mu: 0, settle: 0, duration, bodies: [rod],
  joint: { body: 'rod', at: [0, 0, 0], axis: [0, 1, 0], torque: share * weight },
  asperity: { scene: 'joint', stiff: ['friction'], set: { 'let.share': share } },
});
const joint_hold = {
  name: 'joint-hold',
  title: 'Joint friction holds an arm',
  text: 'A rod of 1 kg and 1 m on a hinge, level, with a friction torque of 1.2 times the moment of its weight. 10 s; mean speed.',
  exact: 'it does not move',
  runs: [hinge(1.2, 10)],
  measures: [{ key: 'creep', label: 'creep', unit: 'rad/s', equal: 1e-9, lost: 0.08, of: ([trace]) => Math.abs(creep(trace, below)) }],
};
const rest = rod_rests_at(1, 0.2);
const joint_swing = {
  name: 'joint-swing',
  title: 'Joint friction stops a swinging arm',
  text: 'The same rod let go, with a friction torque of 0.2 times the moment of its weight: it swings and stops. 10 s.',
  exact: `it stops ${(rest / turn).toFixed(4)} degrees below the horizontal`,
  runs: [hinge(0.2, 10)],
  measures: [{ key: 'angle', label: 'angle, error', unit: 'deg', equal: 1e-3, of: ([trace]) => (below(trace, trace.rows - 1) - rest) / turn }],
};

// -- what needs a law that rigid contact with one mu does not have

// A mass on a belt, on a spring. While it sticks the spring's force grows from 2 F_c - F_s to F_s with k v; then it swings about F_c, u = a cos + (v/w) sin with
// a = (F_s - F_c)/k, until it has the speed of the belt again.
const stick_slip_period = (() => {
  const [m, k, v, F_s, F_c] = [1, 100, 0.1, 1.5, 1];
  const a = (F_s - F_c) / k;
  const omega = Math.sqrt(k / m);
  return (2 * a) / v + (2 / omega) * (Math.PI - Math.atan((a * omega) / v));
})();
const stick_slip = {
  name: 'stick-slip',
  title: 'Stick-slip',
  text: 'A mass of 1 kg on a belt with 0.1 m/s, held by a spring of 100 N/m; static friction 1.5 N, kinetic 1 N. The mean period over 20 s.',
  exact: `2 a/v + (2/w)(pi - atan(a w/v)), a = (F_s - F_c)/k: ${stick_slip_period.toFixed(6)} s`,
  needs: 'static friction above kinetic',
  runs: [{ duration: 20, bodies: [{ name: 'mass' }], asperity: { scene: 'stick_slip', stiff: ['friction'] } }],
  measures: [
    {
      key: 'period', label: 'period, relative error', unit: '1', equal: 1e-5,
      of: ([trace]) => {
        // Crossings of half the height of the sawtooth, upwards, by straight lines between rows.
        const times = [];
        for (let row = row_at(trace, 2); row + 1 < trace.rows; ++row) {
          const [a, b] = [trace.p('mass', row)[0] - 0.01, trace.p('mass', row + 1)[0] - 0.01];
          if (a < 0 && b >= 0) times.push((row + a / (a - b)) * trace.h);
        }
        return times.length < 2 ? NaN : (times.at(-1) - times[0]) / (times.length - 1) / stick_slip_period - 1;
      },
    },
  ],
};

// Springs of stiffness k behind sliders of limit F, side by side: pushed for the first time by sum min(k A, F) they move by A. From then on each goes back and
// forth by A, and one that slips (k A > F) does 4 F (A - F/k) of work in a cycle; the others do none.
const loop_elements = Array.from({ length: 10 }, (_, i) => ({ k: 1e4 * (i + 1), F: 0.1 }));
const loop_amplitude = 4e-6;
const loop_force = loop_elements.reduce((sum, { k, F }) => sum + Math.min(k * loop_amplitude, F), 0);
const loop_area = loop_elements.reduce((sum, { k, F }) => sum + (k * loop_amplitude > F ? 4 * F * (loop_amplitude - F / k) : 0), 0);
const loop_period = 40;
const presliding = {
  name: 'presliding',
  title: 'Presliding loop',
  text: `A slider of 1 kg on ten asperities (0.1 N each, 1e4 to 1e5 N/m), pushed back and forth by ${loop_force.toFixed(2)} N in ${loop_period} s: less than the 1 N at which all of it slides. The way from the middle to the end, and the work of one cycle, ∮ f dx.`,
  exact: `${loop_amplitude * 1e6} um; sum of 4 F (A - F/k) over the elements that slip: ${(loop_area * 1e6).toFixed(5)} uJ`,
  needs: 'friction with a stiffness',
  runs: [{ duration: 1.5 * loop_period, bodies: [{ name: 'slider' }], asperity: { scene: 'presliding' } }],
  measures: [
    {
      key: 'amplitude', label: 'way, relative error', unit: '1', equal: 1e-5,
      of: ([trace]) => {
        let most = 0;
        for (let row = row_at(trace, loop_period / 2); row < trace.rows; ++row) most = Math.max(most, trace.p('slider', row)[0]);
        return most / loop_amplitude - 1;
      },
    },
    {
      key: 'area', label: 'work, relative error', unit: '1', equal: 1e-5,
      of: ([trace]) => {
        const push = (row) => loop_force * Math.sin((2 * Math.PI * row * trace.h) / loop_period);
        let work = 0;
        for (let row = row_at(trace, loop_period / 2); row + 1 < trace.rows; ++row) {
          work += ((push(row) + push(row + 1)) / 2) * (trace.p('slider', row + 1)[0] - trace.p('slider', row)[0]);
        }
        return work / loop_area - 1;
      },
    },
  ],
};

export const families = [slope, shaken, pinch, joint_hold, slide, roll, spin, joint_swing, bounce, elastic, heavy, stick_slip, presliding];
export const steps = [{ label: '1/60 s', h: 1 / 60 }, { label: '5 ms', h: 5e-3 }, { label: '1 ms', h: 1e-3 }];
