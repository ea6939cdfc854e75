// The scene as it moves: bodies, planes and contact forces on a canvas.
import { colour, curve_colour, curve_style, element, number } from "./dom.js";
import { place_in } from "./plots.js";
import { on_theme } from "./theme.js";

const axes_of = [[""], [".x", ".y"], [".x", ".y", ".z"]];
const most_bodies = 150;

const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
const minus = (a, b) => plus(a, times(-1, b));
const inner = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const outer = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const in_space = (v = []) => [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];

/// q = [w, x, y, z] from the body to the world.
function turned(q, r) {
  const u = q.slice(1);
  const t = times(2, outer(u, r));
  return plus(plus(r, times(q[0], t)), outer(u, t));
}

/// Surface of revolution about z: rings [radius, height] from below to above, in stripes, so that it can be seen to turn.
function revolved(rings, around) {
  const corners = rings.map(([radius, z]) => Array.from({ length: around }, (_, i) => [radius * Math.cos((2 * Math.PI * i) / around), radius * Math.sin((2 * Math.PI * i) / around), z]));
  const faces = [];
  for (let r = 0; r + 1 < rings.length; ++r)
    for (let i = 0; i < around; ++i) {
      const j = (i + 1) % around;
      faces.push({ corners: [corners[r][i], corners[r][j], corners[r + 1][j], corners[r + 1][i]], stripe: Math.floor((4 * i) / around) % 2 });
    }
  if (rings[0][0] > 0) faces.push({ corners: [...corners[0]].reverse(), stripe: 0 });
  if (rings.at(-1)[0] > 0) faces.push({ corners: corners.at(-1), stripe: 0 });
  return faces;
}

function half_circle(radius, z, from, to, steps) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [Math.max(0, radius * Math.cos(angle)), z + radius * Math.sin(angle)];
  });
}

function box_faces([a, b, c]) {
  const at = (i) => [((i & 1 ? 1 : -1) * a) / 2, ((i & 2 ? 1 : -1) * b) / 2, ((i & 4 ? 1 : -1) * c) / 2];
  return [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map((face) => ({ corners: face.map(at), stripe: 0, edged: true }));
}

function faces_of(shape, size, point_radius) {
  const quarter = Math.PI / 2;
  if (shape === "box") return box_faces(size);
  if (shape === "capsule") return revolved([...half_circle(size[0], -size[1] / 2, -quarter, 0, 5), ...half_circle(size[0], size[1] / 2, 0, quarter, 5)], 16);
  if (shape === "cylinder") return revolved([[size[0], -size[1] / 2], [size[0], size[1] / 2]], 24);
  return revolved(half_circle(shape === "sphere" ? size[0] : point_radius, 0, -quarter, quarter, 10), 20);
}

function reach_of(body, point_radius) {
  const [a = 0, b = 0] = body.size;
  if (body.shape === "box") return length(in_space(body.size)) / 2;
  if (body.shape === "sphere") return a;
  if (body.shape === "capsule") return a + b / 2;
  if (body.shape === "cylinder") return Math.hypot(a, b / 2);
  return point_radius;
}

/// #0072B2 lighter (part > 0) or darker, as a colour for the canvas.
function shaded(hex, part, alpha = 1) {
  const mix = (i) => {
    const c = parseInt(hex.slice(i, i + 2), 16);
    return Math.round(part > 0 ? c + (255 - c) * part : c * (1 + part));
  };
  return `rgba(${mix(1)}, ${mix(3)}, ${mix(5)}, ${alpha})`;
}

/// Where everything is: bodies and forces at a time, read from the columns.
class Motion {
  constructor(facts, columns) {
    this.columns = columns;
    this.dimension = 1;
    this.bodies = [];
    for (const body of facts.bodies.slice(0, most_bodies)) {
      const joints = body.shape === "rods" ? body.size.map((_, i) => columns.values(`${body.name}.joint${i + 1}.position`)) : [];
      const track = axes_of[Math.min(3, Math.max(1, body.dimension)) - 1].map((a) => columns.values(`${body.name}.position${a}`));
      if (joints.some((j) => !j) || (joints.length === 0 && track.some((p) => !p))) continue;
      const rotation = [".w", ".x", ".y", ".z"].map((a) => columns.values(`${body.name}.rotation${a}`));
      this.bodies.push({ ...body, size: body.size ?? [], track, joints, rotation: rotation.every((r) => r) ? rotation : null, given: body.kind === "prescribed" });
      this.dimension = Math.max(this.dimension, joints.length > 0 ? 2 : body.dimension);
    }
    this.by_name = new Map(this.bodies.map((body) => [body.name, body]));
    this.elements = facts.elements.map((e) => this.element(e)).filter((e) => e);
    this.shift = new Map();
  }

  /// On a line, bodies have no size of their own. They are drawn beside each other and beside walls, so that they meet where their gap closes.
  spread(radius) {
    if (this.dimension !== 1) return;
    const contacts = this.elements.filter((e) => e.gap && (e.kind === "contact" || e.kind === "composite") && e.a && !e.a.given);
    const side = (e) => {
      const first = e.gap.findIndex((g) => g !== null);
      let [low, high] = [first, first];
      e.gap.forEach((g, i) => g !== null && (g < e.gap[low] && (low = i), g > e.gap[high] && (high = i)));
      const apart = (i) => e.a.track[0][i] - (e.b ? e.b.track[0][i] : 0);
      return apart(high) >= apart(low) ? 1 : -1;
    };
    const sizeless = (body) => body && body.shape === "point";
    const placed = new Map();
    // Walls first: what leans on them is pushed off by its own half width.
    for (const e of contacts) if (!e.b && sizeless(e.a) && !placed.has(e.a)) placed.set(e.a, side(e) * radius);
    for (let pass = 0; pass < contacts.length; ++pass)
      for (const e of contacts) {
        if (!e.b || !sizeless(e.a) || !sizeless(e.b)) continue;
        if (placed.has(e.a) === placed.has(e.b) && pass === 0) continue;
        if (!placed.has(e.a) && !placed.has(e.b)) placed.set(e.b, 0);
        if (!placed.has(e.a)) placed.set(e.a, placed.get(e.b) + 2 * side(e) * radius);
        else if (!placed.has(e.b)) placed.set(e.b, placed.get(e.a) - 2 * side(e) * radius);
      }
    this.shift = placed;
  }

  element(e) {
    const [a, b] = e.between.map((end) => end.split("@")[0]);
    if ((a !== "ground" && !this.by_name.has(a)) || (b !== "ground" && !this.by_name.has(b))) return null;
    const series = (quantity) => {
      const found = axes_of[this.dimension - 1].map((axis) => this.columns.values(`${e.name}.${quantity}${axis}`));
      return found.some((v) => v) ? found : null;
    };
    return { ...e, a: this.by_name.get(a), b: this.by_name.get(b), normal: e.normal?.length ? in_space(e.normal) : null,
      gap: this.columns.values(`${e.name}.gap`), touching: this.columns.values(`${e.name}.touching`), met: this.dimension === 3 ? series("point") : null,
      normal_force: this.columns.values(`${e.name}.normal_force`), tangential_force: series("tangential_force"), force: series("force") };
  }

  at(t) {
    this.place = place_in(this.columns.time, t);
  }
  read(values) {
    if (!values) return 0;
    const { row, next, part } = this.place;
    const [from, to] = [values[row], values[next]];
    return from === null || to === null ? 0 : from + part * (to - from);
  }
  vector(list) {
    return in_space((list ?? []).map((values) => this.read(values)));
  }
  position(body) {
    if (!body || body.joints.length > 0) return [0, 0, 0];
    const p = this.vector(body.track);
    p[0] += this.shift.get(body) ?? 0;
    return p;
  }
  rotation(body) {
    if (!body?.rotation) return [1, 0, 0, 0];
    const q = body.rotation.map((values) => this.read(values));
    const size = Math.hypot(...q) || 1;
    return q.map((v) => v / size);
  }
  /// Ends of the rods of an arm; its foot stands at the origin.
  chain(body) {
    const points = [[0, 0, 0]];
    let angle = 0;
    body.joints.forEach((joint, i) => {
      angle += this.read(joint);
      points.push(plus(points.at(-1), [body.size[i] * Math.cos(angle), body.size[i] * Math.sin(angle), 0]));
    });
    return points;
  }
  /// A point of a body in the world.
  point(body, local) {
    return plus(this.position(body), turned(this.rotation(body), in_space(local)));
  }

  /// The force on a, and where it acts; null where it cannot be drawn.
  force_on_a(e) {
    if (!e.a || e.a.joints.length > 0 || e.kind === "spring" || e.kind === "hinge") return null;
    let normal = e.normal;
    if (!normal && (e.kind === "contact" || e.kind === "composite")) {
      const apart = minus(this.position(e.a), this.position(e.b));
      normal = this.dimension === 1 ? [1, 0, 0] : length(apart) > 0 ? times(1 / length(apart), apart) : null;
    }
    let at = e.met ? this.vector(e.met) : this.point(e.a, e.point_a);
    let force = times(-1, this.vector(e.force));
    if (normal) {
      // A ball touches in front of its centre.
      if (!e.met && (e.a.shape === "sphere" || e.a.shape === "capsule")) at = minus(at, times(e.a.size[0], normal));
      const across = this.vector(e.tangential_force);
      force = plus(force, minus(times(this.read(e.normal_force), normal), minus(across, times(inner(across, normal), normal))));
    }
    return { at, force };
  }
}

/// What a reader looks at: from where, how large, where the middle is.
class View {
  constructor(motion, clock) {
    this.motion = motion;
    this.turn = -1.05;
    this.tilt = 0.32;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const include = (p, reach = 0) => p.forEach((v, i) => ((low[i] = Math.min(low[i], v - reach)), (high[i] = Math.max(high[i], v + reach))));
    // Bodies on a given course may run out of sight, unless there is nothing else.
    const followed = motion.bodies.some((body) => !body.given) ? motion.bodies.filter((body) => !body.given) : motion.bodies;
    const each_time = (visit, step = 1) => {
      for (let i = 0; i < motion.columns.time.length; i += step) {
        motion.place = { row: i, next: i, part: 0 };
        visit();
      }
    };
    const some = Math.ceil(motion.columns.time.length / 400);
    each_time(() => {
      for (const body of followed) {
        if (body.joints.length > 0) motion.chain(body).forEach((p) => include(p));
        else include(motion.position(body));
      }
    }, some);
    const span = Math.max(...high.map((h, i) => h - low[i]), ...followed.map((body) => 2 * reach_of(body, 0))) || 1;
    // On a line, larger than any indentation: what touches is seen to touch, not to pass.
    const deepest = motion.elements.reduce((most, e) => (e.gap ?? []).reduce((m, gap) => Math.max(m, -gap), most), 0);
    this.point_radius = motion.dimension === 1 ? Math.max(0.045 * span, 8 * deepest) : 0.03 * span;
    motion.spread(this.point_radius);
    each_time(() => {
      for (const body of followed) {
        if (body.shape === "box") box_faces(in_space(body.size)).forEach((face) => face.corners.forEach((c) => include(motion.point(body, c))));
        else if (body.joints.length === 0) include(motion.position(body), reach_of(body, this.point_radius));
      }
    }, some);
    // Planes that are near belong to the picture.
    motion.at(clock.first);
    for (const e of motion.elements) {
      if (!e.normal) continue;
      const middle = times(0.5, plus(low, high));
      const foot = minus(middle, times(inner(e.normal, minus(middle, motion.position(e.b))) - e.offset, e.normal));
      if (length(minus(foot, middle)) < 2 * span) include(foot);
    }
    if (motion.dimension === 1) motion.elements.forEach((e) => e.kind === "contact" && !e.b && include([e.offset, 0, 0]));
    this.middle = times(0.5, plus(low, high));
    this.low = low;
    this.high = high;
    this.span = span;

    const sizes = [];
    each_time(() => motion.elements.forEach((e) => sizes.push(length(motion.force_on_a(e)?.force ?? [0, 0, 0]))));
    const acting = sizes.filter((size) => size > 0).sort((p, q) => p - q);
    this.strongest = acting.at(-1) ?? 0;
    this.usual = acting[Math.floor(0.9 * acting.length)] ?? 0; // an impact does not make all else invisible
  }

  axes() {
    if (this.motion.dimension < 3) return { right: [1, 0, 0], up: [0, 1, 0], near: [0, 0, 1] };
    const [c, s, ct, st] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    return { right: [-s, c, 0], up: [-c * st, -s * st, ct], near: [c * ct, s * ct, st] };
  }

  /// Fits the first look; turning afterwards keeps the scale.
  fit(width, height) {
    const { right, up } = this.axes();
    let [w, h] = [0, 0];
    for (let i = 0; i < 8; ++i) {
      const corner = minus([i & 1 ? this.low[0] : this.high[0], i & 2 ? this.low[1] : this.high[1], i & 4 ? this.low[2] : this.high[2]], this.middle);
      w = Math.max(w, Math.abs(inner(corner, right)));
      h = Math.max(h, Math.abs(inner(corner, up)));
    }
    const room = this.motion.dimension === 2 ? 0.74 : 0.82; // arrows need some
    this.scale = room * Math.min(width / (2 * w || 1e-9), height / (2 * h || 1e-9));
  }
}

class Painter {
  constructor(canvas, motion, view) {
    Object.assign(this, { canvas, motion, view, context: canvas.getContext("2d") });
    const size = (body) => (body.shape === "box" && body.size.length === 2 ? [...body.size, body.size[0]] : body.size);
    this.meshes = new Map(motion.bodies.map((body) => [body.name, faces_of(body.shape, size(body), view.point_radius)]));
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0) return;
    this.dots = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.round(width * this.dots), Math.round(height * this.dots)];
    [this.width, this.height] = [width, height];
    const { turn, tilt } = this.view;
    [this.view.turn, this.view.tilt] = [-1.05, 0.32];
    this.view.fit(width, height);
    [this.view.turn, this.view.tilt] = [turn, tilt];
  }

  screen(p) {
    const d = minus(p, this.view.middle);
    return [this.width / 2 + this.view.scale * inner(d, this.look.right), this.height / 2 - this.view.scale * inner(d, this.look.up)];
  }
  path(points, closed = true) {
    const { context } = this;
    context.beginPath();
    points.forEach((p, i) => (i === 0 ? context.moveTo(...p) : context.lineTo(...p)));
    if (closed) context.closePath();
  }
  tint(body) {
    return curve_colour(this.motion.bodies.indexOf(body));
  }

  draw(t) {
    if (!this.width) return;
    const { context, motion } = this;
    this.look = this.view.axes();
    motion.at(t);
    context.setTransform(this.dots, 0, 0, this.dots, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineJoin = "round";
    if (motion.dimension === 1) this.line_ground();
    const planes = this.planes();
    for (const plane of planes) motion.dimension < 3 ? this.edge(plane) : plane.pad ? null : this.floor(plane);
    if (motion.dimension > 1) this.trails(t);
    this.links();
    motion.dimension === 3 ? this.solids(planes.filter((plane) => plane.pad)) : this.shapes();
    this.forces();
    this.scale_bar();
  }

  /// Each plane once, although every corner of a box has an element on it.
  planes() {
    const seen = new Map();
    for (const e of this.motion.elements) {
      if (!e.normal || (e.b && !e.b.given)) continue;
      const key = `${e.normal},${e.offset},${e.b?.name}`;
      if (seen.has(key)) continue;
      // The pad of a finger or a gripper is as large as what it touches; a belt that runs out of sight is a floor, and so is a plane.
      const pad = e.b && e.a && e.b.shape !== "plane" && !this.is_belt(e.b) ? e.a : null;
      seen.set(key, { normal: e.normal, at: plus(this.motion.position(e.b), times(e.offset, e.normal)), body: e.b, pad });
    }
    return [...seen.values()];
  }

  /// A line with hatches on the far side; they travel with a belt.
  edge({ normal, at, body }) {
    const { context, view } = this;
    const along = [-normal[1], normal[0], 0];
    const d = minus(view.middle, at);
    const foot = plus(at, times(inner(d, along), along));
    const [x, y] = this.screen(foot);
    const far = this.width + this.height;
    const [ux, uy] = [along[0], -along[1]];
    const [nx, ny] = [-normal[0], normal[1]];
    context.strokeStyle = body ? this.tint(body) : colour("soft");
    context.lineWidth = body ? 4 : 1.5;
    this.path([[x - far * ux, y - far * uy], [x + far * ux, y + far * uy]], false);
    context.stroke();
    const gap = 12;
    const shift = (((view.scale * inner(d, along)) % gap) + gap) % gap;
    context.beginPath();
    for (let s = -far; s < far; s += gap) {
      const [px, py] = [x + (s - shift) * ux, y + (s - shift) * uy];
      context.moveTo(px, py);
      context.lineTo(px + 8 * nx - 5 * ux, py + 8 * ny - 5 * uy);
    }
    context.lineWidth = 0.7;
    context.stroke();
  }

  /// A square with a grid, and the shadows of the bodies on it.
  floor({ normal, at, body }) {
    const { context, view, motion } = this;
    const seed = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const u0 = minus(seed, times(inner(seed, normal), normal));
    const u = times(1 / length(u0), u0);
    const v = outer(normal, u);
    const foot = minus(view.middle, times(inner(normal, minus(view.middle, at)), normal));
    const size = Math.max(...view.high.map((h, i) => h - view.low[i]));
    const step = nice_length(size / 7);
    const cells = Math.ceil((0.62 * size) / step);
    // The grid of a belt travels with it.
    const travelled = body?.given ? motion.position(body) : [0, 0, 0];
    const middle = plus(foot, plus(times(inner(travelled, u) % step, u), times(inner(travelled, v) % step, v)));
    const corner = (i, j) => this.screen(plus(middle, plus(times(i * step, u), times(j * step, v))));
    this.path([corner(-cells, -cells), corner(cells, -cells), corner(cells, cells), corner(-cells, cells)]);
    context.fillStyle = colour("floor");
    context.fill();
    if (body && body.shape !== "plane") {
      context.fillStyle = shaded(this.tint(body), 0, 0.12);
      context.fill();
    }
    context.beginPath();
    for (let i = -cells; i <= cells; ++i) {
      context.moveTo(...corner(i, -cells));
      context.lineTo(...corner(i, cells));
      context.moveTo(...corner(-cells, i));
      context.lineTo(...corner(cells, i));
    }
    context.strokeStyle = colour("grid");
    context.lineWidth = 1;
    context.stroke();
    if (inner(normal, this.look.near) <= 0) return;
    context.fillStyle = colour("shadow");
    for (const body of motion.bodies) {
      if (body.joints.length > 0 || body.given) continue;
      const [p, q] = [motion.position(body), motion.rotation(body)];
      const shadow = this.meshes.get(body.name).flatMap((face) => face.corners).map((c) => {
        const point = plus(p, turned(q, c));
        return this.screen(minus(point, times(inner(normal, minus(point, at)), normal)));
      });
      this.path(hull(shadow));
      context.fill();
    }
  }

  trails(t) {
    const { context, motion } = this;
    const { time } = motion.columns;
    const step = Math.max(1, Math.floor(time.length / 800));
    const draw = (points, tint, alpha) => {
      this.path(points, false);
      context.strokeStyle = shaded(tint, 0, alpha);
      context.lineWidth = 1.3;
      context.stroke();
    };
    for (const body of motion.bodies) {
      if (body.given) continue;
      const here = () => this.screen(body.joints.length > 0 ? motion.chain(body).at(-1) : motion.position(body));
      const [past, future] = [[], []];
      for (let i = 0; i < time.length; i += step) {
        motion.place = { row: i, next: i, part: 0 };
        (time[i] <= t ? past : future).push(here());
      }
      motion.at(t);
      draw([...past, here()], this.tint(body), 0.55);
      draw([here(), ...future], this.tint(body), 0.18);
    }
  }

  /// Springs as zigzags; hinges as dots, with lines to the middles of what they join.
  links() {
    const { context, motion } = this;
    for (const e of motion.elements) {
      if ((e.kind !== "spring" && e.kind !== "hinge") || e.a?.joints.length || e.b?.joints.length) continue;
      const from = this.screen(motion.point(e.a, e.point_a));
      const to = this.screen(motion.point(e.b, e.point_b));
      context.strokeStyle = colour("soft");
      if (e.kind === "hinge") {
        this.path([...(e.a ? [this.screen(motion.position(e.a))] : []), from, ...(e.b ? [this.screen(motion.position(e.b))] : [])], false);
        context.lineWidth = 3;
        context.stroke();
        context.beginPath();
        context.arc(...from, 5, 0, 2 * Math.PI);
        context.fillStyle = colour("card");
        context.lineWidth = 2;
        context.fill();
        context.stroke();
        continue;
      }
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const far = Math.hypot(dx, dy) || 1;
      const points = [from];
      const turns = 12;
      for (let i = 1; i < turns; ++i) {
        const side = (i % 2 ? 5 : -5) / far;
        points.push([from[0] + (dx * i) / turns - dy * side, from[1] + (dy * i) / turns + dx * side]);
      }
      points.push(to);
      this.path(points, false);
      context.lineWidth = 1.4;
      context.stroke();
    }
  }

  /// A plate behind the plane of a pad, in front of what it touches.
  pad_faces({ normal, at, pad }) {
    const reach = reach_of(pad, this.view.point_radius);
    const seed = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const u0 = minus(seed, times(inner(seed, normal), normal));
    const u = times(1 / length(u0), u0);
    const v = outer(normal, u);
    return box_faces([2 * reach, 2 * reach, 0.4 * reach]).map((face) => ({
      ...face,
      corners: face.corners.map(([x, y, z]) => plus(at, plus(plus(times(x, u), times(y, v)), times(z - 0.2 * reach, normal)))),
    }));
  }

  solids(pads) {
    const { context, motion, look } = this;
    const light = [0.35, -0.45, 0.82];
    const seen = [];
    const add = (faces, place, tint, alpha) => {
      for (const face of faces) {
        const corners = face.corners.map(place);
        // From the diagonals, so that faces at a pole, which are triangles, have one too.
        const across = outer(minus(corners[2], corners[0]), minus(corners[3], corners[1]));
        const normal = times(1 / (length(across) || 1), across);
        if (inner(normal, look.near) <= 0) continue;
        const middle = times(1 / corners.length, corners.reduce(plus));
        seen.push({ corners, depth: inner(middle, look.near), bright: 0.62 * inner(normal, light) - 0.2 - 0.16 * face.stripe, tint, alpha, edged: face.edged });
      }
    };
    for (const body of motion.bodies) {
      if (body.joints.length > 0 || body.shape === "plane" || this.is_plane(body)) continue;
      const [p, q] = [motion.position(body), motion.rotation(body)];
      add(this.meshes.get(body.name), (c) => plus(p, turned(q, c)), this.tint(body), 1);
    }
    for (const plate of pads) add(this.pad_faces(plate), (c) => c, this.tint(plate.body), 0.55); // to be seen through
    seen.sort((a, b) => a.depth - b.depth);
    for (const face of seen) {
      this.path(face.corners.map((c) => this.screen(c)));
      context.fillStyle = shaded(face.tint, face.bright, face.alpha);
      context.fill();
      // The edge closes the hairlines between neighbouring faces.
      context.strokeStyle = face.edged ? shaded(face.tint, face.bright - 0.25, face.alpha) : context.fillStyle;
      context.lineWidth = face.edged ? 1.2 : 0.8;
      context.stroke();
    }
  }

  shapes() {
    const { context, motion, view } = this;
    for (const body of motion.bodies) {
      const tint = this.tint(body);
      context.fillStyle = shaded(tint, 0.15, 0.92);
      context.strokeStyle = shaded(tint, -0.3);
      context.lineWidth = 1.5;
      if (body.joints.length > 0) {
        this.arm(body, tint);
        continue;
      }
      if (this.is_plane(body)) continue;
      if (motion.dimension === 1 && this.is_belt(body)) continue;
      const [x, y] = this.screen(motion.position(body));
      if (body.shape === "box" || (motion.dimension === 1 && body.shape === "point")) {
        const [w, h] = body.shape === "box" ? [body.size[0], body.size[1] ?? body.size[0]] : [2 * view.point_radius, 2 * view.point_radius];
        const room = motion.dimension === 1 ? 0.45 * this.height : Infinity; // a line has no height of its own
        const [pw, ph] = [Math.max(8, w * view.scale), Math.min(room, Math.max(8, h * view.scale))];
        context.beginPath();
        if (motion.dimension === 1 && !body.given) context.roundRect(x - pw / 2, y - ph, pw, ph, 3);
        else if (motion.dimension === 1) context.roundRect(x - 2 * pw, y + 2, 4 * pw, 8, 2);
        else context.roundRect(x - pw / 2, y - ph / 2, pw, ph, 2);
      } else {
        const radius = Math.max(4, (body.shape === "point" ? view.point_radius : body.size[0]) * view.scale);
        context.beginPath();
        context.arc(x, y - (motion.dimension === 1 ? radius : 0), radius, 0, 2 * Math.PI);
      }
      context.fill();
      context.stroke();
    }
  }

  arm(body, tint) {
    const { context } = this;
    const points = this.motion.chain(body).map((p) => this.screen(p));
    context.lineCap = "round";
    this.path(points, false);
    context.strokeStyle = shaded(tint, 0.1);
    context.lineWidth = 9;
    context.stroke();
    context.lineCap = "butt";
    points.slice(0, -1).forEach(([x, y]) => {
      context.beginPath();
      context.arc(x, y, 5.5, 0, 2 * Math.PI);
      context.fillStyle = colour("card");
      context.strokeStyle = shaded(tint, -0.3);
      context.lineWidth = 2;
      context.fill();
      context.stroke();
    });
  }

  /// A prescribed body that is seen as the planes it has.
  is_plane(body) {
    return body.given && this.motion.elements.some((e) => e.b === body && e.normal);
  }

  /// A prescribed body that runs out of sight is the ground that moves.
  is_belt(body) {
    return body.given && body.track.some((track) => Math.abs(track.at(-1) - track[0]) > 2 * this.view.span);
  }

  line_ground() {
    const { context, motion } = this;
    const slab = motion.bodies.some((body) => body.given && !this.is_belt(body));
    const y = this.screen([0, 0, 0])[1] + (slab ? 12 : 1);
    const belt = motion.bodies.find((body) => this.is_belt(body));
    const shift = belt ? ((this.view.scale * motion.position(belt)[0]) % 12) + 12 : 0;
    if (belt) {
      // The belt itself, with marks that travel.
      context.fillStyle = shaded(this.tint(belt), 0.15, 0.92);
      context.fillRect(0, y, this.width, 9);
      context.fillStyle = shaded(this.tint(belt), -0.4);
      const far = ((this.view.scale * motion.position(belt)[0]) % 48) + 48;
      for (let x = far - 96; x < this.width + 48; x += 48) context.fillRect(x, y, 10, 9);
    }
    context.strokeStyle = colour("soft");
    context.lineWidth = 1.5;
    this.path([[0, y], [this.width, y]], false);
    context.stroke();
    context.beginPath();
    if (!belt) for (let x = shift - 24; x < this.width + 12; x += 12) {
      context.moveTo(x, y);
      context.lineTo(x - 5, y + 8);
    }
    for (const e of motion.elements) {
      if (e.kind !== "contact" || e.b) continue;
      const [x] = this.screen([e.offset, 0, 0]);
      context.moveTo(x, y);
      context.lineTo(x, y - 70);
      for (let h = 0; h < 70; h += 12) {
        context.moveTo(x, y - h);
        context.lineTo(x - 8, y - h + 5);
      }
    }
    context.strokeStyle = colour("soft");
    context.lineWidth = 1;
    context.stroke();
  }

  forces() {
    const { context, motion, view } = this;
    if (!(view.strongest > 0)) return;
    const longest = 0.3 * Math.min(this.width, this.height);
    context.strokeStyle = context.fillStyle = colour("force");
    context.lineWidth = 2.2;
    for (const e of motion.elements) {
      const acting = motion.force_on_a(e);
      if (!acting || length(acting.force) < 1e-3 * view.usual) continue;
      if (motion.dimension > 1 && (e.kind === "contact" || e.kind === "composite")) this.contact_point(acting.at);
      const f = times(Math.min((0.6 * longest) / view.usual, longest / length(acting.force)), acting.force);
      const [x, y] = this.screen(acting.at);
      const [dx, dy] = [inner(f, this.look.right), -inner(f, this.look.up)];
      const size = Math.hypot(dx, dy);
      if (size < 1) continue;
      const head = Math.min(9, 0.6 * size);
      const [ux, uy] = [dx / size, dy / size];
      // An arrow on a line runs along the ground, clear of the body.
      const [sx, sy] = motion.dimension === 1 ? [x, y - Math.min(0.22 * this.height, view.point_radius * view.scale)] : [x, y];
      this.path([[sx, sy], [sx + dx - 0.8 * head * ux, sy + dy - 0.8 * head * uy]], false);
      context.stroke();
      this.path([
        [sx + dx, sy + dy],
        [sx + dx - head * ux - 0.5 * head * uy, sy + dy - head * uy + 0.5 * head * ux],
        [sx + dx - head * ux + 0.5 * head * uy, sy + dy - head * uy - 0.5 * head * ux],
      ]);
      context.fill();
    }
  }

  /// Where bodies touch now.
  contact_point(at) {
    const { context } = this;
    context.beginPath();
    context.arc(...this.screen(at), 3.5, 0, 2 * Math.PI);
    context.fill();
  }

  scale_bar() {
    const { context, view } = this;
    const size = nice_length((0.2 * this.width) / view.scale);
    const [x, y] = [14, this.height - 14];
    context.strokeStyle = context.fillStyle = colour("soft");
    context.lineWidth = 1.2;
    this.path([[x, y - 5], [x, y], [x + size * view.scale, y], [x + size * view.scale, y - 5]], false);
    context.stroke();
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillText(length_text(size), x + 4, y - 5);
  }
}

/// 1, 2 or 5 times a power of ten, not longer than asked.
function nice_length(most) {
  const decade = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((n) => n * decade).find((n) => n <= most * (1 + 1e-9)) ?? decade;
}

/// In the unit that a person would say: "5 mm", "20 µm", "2 km".
export function length_text(metres) {
  const [unit, factor] = [["km", 1e3], ["m", 1], ["mm", 1e-3], ["µm", 1e-6], ["nm", 1e-9]].find(([, f]) => metres >= f * (1 - 1e-9)) ?? ["m", 1];
  return `${number(metres / factor, 3)} ${unit}`;
}

/// Convex hull of points in the plane.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const side = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && (chain.at(-1)[0] - chain.at(-2)[0]) * (p[1] - chain.at(-2)[1]) <= (chain.at(-1)[1] - chain.at(-2)[1]) * (p[0] - chain.at(-2)[0])) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...side(sorted), ...side(sorted.reverse())];
}

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/// Null if no body's motion was recorded.
export function scene_view(facts, columns, clock) {
  const motion = new Motion(facts, columns);
  if (motion.bodies.length === 0 || columns.time.length < 2) return null;
  const view = new View(motion, clock);
  const label = motion.dimension === 3 ? "Animation of the scene; drag or use the arrow keys to turn it" : "Animation of the scene";
  const canvas = element("canvas", { id: "scene", class: motion.dimension === 1 ? "low" : null, role: "img", "aria-label": label, tabindex: motion.dimension === 3 ? "0" : null });
  canvas.scene = { motion, view };
  const painter = new Painter(canvas, motion, view);
  const redraw = () => painter.draw(clock.time);

  // About eight seconds for the whole run.
  const wanted = (clock.last - clock.first) / 8;
  const usual = speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
  let speed = usual;
  let playing = false;
  let before = 0;
  const play = element("button", { type: "button", id: "play", class: "play" });
  const set_playing = (on) => {
    playing = on;
    play.textContent = on ? "❚❚" : "▶";
    play.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return;
    if (clock.time >= clock.last) clock.set_time(clock.first);
    before = performance.now();
    requestAnimationFrame(tick);
  };
  const tick = (now) => {
    if (!playing) return;
    clock.set_time(clock.time + (speed * Math.max(0, now - before)) / 1000);
    before = now;
    if (clock.time >= clock.last) set_playing(false);
    else requestAnimationFrame(tick);
  };
  play.addEventListener("click", () => set_playing(!playing));
  const scrub = element("input", { type: "range", id: "scrub", min: "0", max: "1000", step: "1", value: "0", "aria-label": "Time" });
  scrub.addEventListener("input", () => clock.set_time(clock.first + ((clock.last - clock.first) * Number(scrub.value)) / 1000));
  const shown = element("output", { class: "time", for: "scrub" });
  const choose = element("select", { id: "speed", "aria-label": "Speed", onchange: () => (speed = Number(choose.value)) }, speeds.map((s) => element("option", { value: s, selected: s === usual }, `${number(s)}×`)));
  const decimals = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(clock.last - clock.first))));
  clock.time_listeners.push((t) => {
    scrub.value = String((1000 * (t - clock.first)) / (clock.last - clock.first));
    shown.textContent = `${t.toFixed(decimals)} s`;
    scrub.setAttribute("aria-valuetext", shown.textContent);
    redraw();
  });

  const turn_by = (turn, tilt) => {
    view.turn += turn;
    view.tilt = Math.min(1.5, Math.max(-1.5, view.tilt + tilt));
    redraw();
  };
  if (motion.dimension === 3) {
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => canvas.hasPointerCapture(event.pointerId) && turn_by(-0.008 * event.movementX, 0.008 * event.movementY));
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
      if (!step) return;
      event.preventDefault();
      turn_by(...step);
    });
  }
  new ResizeObserver(() => {
    painter.resize();
    redraw();
  }).observe(canvas);
  on_theme(redraw);

  const names = motion.bodies.map((body, i) => element("li", {}, element("span", { class: "swatch block", style: curve_style(i) }), body.name));
  if (view.strongest > 0) names.push(element("li", {}, element("span", { class: "swatch block force" }), `force on it, at most ${number(view.strongest, 3)} N`));
  const part = element(
    "figure",
    { class: "scene" },
    canvas,
    element("div", { class: "player" }, play, scrub, shown, choose),
    element("figcaption", {}, element("ul", { class: "legend" }, names.slice(0, 12)), motion.dimension === 3 ? element("span", { class: "hint" }, "Drag to turn.") : null),
  );
  // It plays by itself, once it is seen, unless the reader asked the system for less motion.
  set_playing(false);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (clock.time === clock.first) set_playing(true);
    });
    seen.observe(canvas);
  }
  return part;
}
