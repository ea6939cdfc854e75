// Plots over time, linked with one another; plots of one column over another; bands of sticking and slipping.
import { colour, curve_colour, curve_style, element, number, some, tick_texts } from "./dom.js";
import { on_theme } from "./theme.js";

/// A table of the page: columns by name, time first.
export class Columns {
  constructor(list) {
    this.by_name = new Map(list.map((column) => [column.name, column]));
    this.time = list.length > 0 ? list[0].values : [];
  }
  values(name) {
    return this.by_name.get(name)?.values;
  }
  unit(name) {
    return this.by_name.get(name)?.unit ?? "";
  }
}

/// The row at or before a time, and the part of the way to the next one.
export function place_in(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const length = times[high] - times[low];
  return { row: low, next: high, part: length > 0 ? Math.min(1, Math.max(0, (t - times[low]) / length)) : 0 };
}

/// The time that is looked at and the window of time that is drawn: one for the whole page.
export class Clock {
  constructor(first, last) {
    this.first = first;
    this.last = last > first ? last : first + 1;
    this.time = first;
    this.window = [this.first, this.last];
    this.time_listeners = [];
    this.window_listeners = [];
  }
  set_time(t) {
    this.time = Math.min(this.last, Math.max(this.first, t));
    this.time_listeners.forEach((listener) => listener(this.time));
  }
  set_window(from, to) {
    const shortest = (this.last - this.first) * 1e-6;
    if (!(to - from > shortest)) return;
    this.window = [Math.max(this.first, from), Math.min(this.last, to)];
    this.window_listeners.forEach((listener) => listener(...this.window));
  }
  zoom(factor) {
    const [from, to] = this.window;
    const inside = this.time > from && this.time < to;
    const middle = inside ? this.time : (from + to) / 2;
    this.set_window(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }
  move(part) {
    const [from, to] = this.window;
    const step = Math.min(this.last - to, Math.max(this.first - from, part * (to - from)));
    this.set_window(from + step, to + step);
  }
}

export function zoom_buttons(clock) {
  const button = (text, label, action) => element("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
  return element(
    "div",
    { class: "tools", role: "group", "aria-label": "Window of time" },
    button("◀", "Earlier", () => clock.move(-0.5)),
    button("−", "Show more time", () => clock.zoom(2)),
    button("+", "Show less time", () => clock.zoom(0.5)),
    button("▶", "Later", () => clock.move(0.5)),
    button("All", "Show all the time", () => clock.set_window(clock.first, clock.last)),
  );
}

/// Every plot of the page, for those who look at it from outside.
export const drawn = [];

// From 1e-30 up: a run that blew up has axes too.
const tick_steps = Array.from({ length: 1000 }, (_, i) => [1, 2, 5][i % 3] * 10 ** (Math.floor(i / 3) - 30));
const axis_font = "12px system-ui, sans-serif";
const label_room = 20;
const tick_room = 48;

/// Plots below one another are of one width inside; only long numbers take more room.
function room_for(plot, texts) {
  const longest = (texts ?? []).reduce((most, text) => Math.max(most, text.length), 0);
  return Math.max(tick_room, 7.2 * longest + 12);
}

function axis(label, side) {
  return {
    label,
    labelFont: axis_font,
    labelSize: side === "x" ? 18 : label_room,
    labelGap: 0,
    font: axis_font,
    size: side === "x" ? 30 : room_for,
    gap: 4,
    incrs: tick_steps,
    space: side === "x" ? 64 : 26,
    stroke: () => colour("soft"),
    grid: { stroke: () => colour("grid"), width: 1 },
    ticks: { stroke: () => colour("grid"), width: 1, size: 5 },
    values: (_, ticks) => tick_texts(ticks),
  };
}

/// Puts a uPlot into a frame whose width it follows.
function mount(frame, options, data, height) {
  const plot = new uPlot({ width: Math.max(200, frame.clientWidth || 600), height, legend: { show: false }, padding: [10, 12, 0, 0], ...options }, data, frame);
  new ResizeObserver(() => {
    const width = Math.floor(frame.clientWidth);
    if (width > 0 && width !== plot.width) plot.setSize({ width, height });
  }).observe(frame);
  on_theme(() => plot.redraw(false, true));
  drawn.push(plot);
  return plot;
}

/// The buttons of a legend show and hide curves; beside them stand the values at the time of the clock.
function legend(entries, toggle) {
  const values = entries.map(() => element("span", { class: "value" }));
  const items = entries.map((entry, i) => {
    const swatch = element("span", { class: entry.dashed ? "swatch dashed" : "swatch", style: curve_style(entry.curve) });
    const button = element("button", { type: "button", "aria-pressed": "true", title: "Show or hide" }, swatch, element("span", {}, entry.label), values[i]);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      toggle(i, shown);
    });
    return element("li", {}, button);
  });
  return { list: element("ul", { class: "legend" }, items), values };
}

function heading(panel) {
  return panel.title ? element("h3", {}, panel.title) : null;
}

export function picture(panel) {
  return element(
    "figure",
    { class: "panel" },
    element("figcaption", {}, heading(panel)),
    element("img", { class: "picture", alt: panel.title || panel.y.label, src: `data:image/svg+xml,${encodeURIComponent(panel.picture)}` }),
  );
}

/// Curves over time of one or two runs; those of the second are dashed.
export function time_plot(panel, runs, clock) {
  if (panel.picture) return picture(panel);
  const entries = [];
  // Few curves of two runs differ in colour too.
  const few = runs.length > 1 && panel.y.columns.length <= 3;
  const curve_of = (i, r) => (few ? i * runs.length + r : i);
  const parts = runs.map((run, r) => {
    const columns = panel.y.columns.map((name, i) => {
      entries.push({ label: run.label ? `${name} ${run.label}` : name, curve: curve_of(i, r), dashed: r > 0, run, values: run.columns.values(name) });
      return run.columns.values(name).map((v) => (v === null ? null : v * panel.y.factor));
    });
    return [run.columns.values(panel.x.column).map((t) => t * panel.x.factor), ...columns];
  });
  const data = parts.length === 1 ? parts[0] : uPlot.join(parts, parts.map((part) => part.map(() => 0)));

  const frame = element("div", { class: "plot" });
  const { list, values } = legend(entries, (i, show) => plot.setSeries(i + 1, { show }));
  const figure = element("figure", { class: "panel" }, element("figcaption", {}, heading(panel), list), frame);
  let plot;
  const show_time = (t) => {
    const left = plot.valToPos(t * panel.x.factor, "x");
    plot.setCursor({ left: left >= 0 && left <= plot.over.clientWidth ? left : -10, top: 0 }, false);
    entries.forEach((entry, i) => {
      const { row, next, part } = place_in(entry.run.columns.time, t);
      const [a, b] = [entry.values[row], entry.values[next]];
      values[i].textContent = a === null || b === null || a === undefined ? "–" : number((a + part * (b - a)) * panel.y.factor, 4);
    });
  };
  const start = () => {
    plot = mount(
      frame,
      {
        scales: { x: { time: false, range: (_, low, high) => [low, high] } },
        axes: [axis(panel.x.label, "x"), axis(panel.y.label, "y")],
        series: [{}, ...entries.map((entry) => ({ stroke: () => curve_colour(entry.curve), width: 1.6, dash: entry.dashed ? [6, 4] : undefined, spanGaps: runs.length > 1, pxAlign: 0, points: { show: false } }))],
        cursor: over_time(clock, panel.x.factor),
        hooks: hooks_over_time(clock, panel.x.factor),
      },
      data,
      210,
    );
    clock.time_listeners.push(show_time);
    clock.window_listeners.push((from, to) => plot.setScale("x", { min: from * panel.x.factor, max: to * panel.x.factor }));
    show_time(clock.time);
  };
  figure.start = start;
  return figure;
}

function over_time(clock) {
  return {
    y: false,
    points: { size: 7 },
    drag: { x: true, y: false, setScale: false },
    bind: { dblclick: () => () => clock.set_window(clock.first, clock.last) },
  };
}

function hooks_over_time(clock, factor) {
  return {
    setCursor: [
      (plot) => {
        if (plot.cursor.left >= 0) clock.set_time(plot.posToVal(plot.cursor.left, "x") / factor);
        else queueMicrotask(() => clock.set_time(clock.time));
      },
    ],
    setSelect: [
      (plot) => {
        if (plot.select.width < 4) return;
        clock.set_window(plot.posToVal(plot.select.left, "x") / factor, plot.posToVal(plot.select.left + plot.select.width, "x") / factor);
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      },
    ],
  };
}

const band_row = 34;
const band_curves = { touching: 4, held: 2, slipping: 1 };

/// One row an element: when it touched, was held, slipped.
export function band_plot(all, x, clock) {
  const bands = all.filter((band) => band.spans.length > 0).slice(0, 24);
  const open = all.filter((band) => band.spans.length === 0).map((band) => band.element);
  const modes = ["touching", "held", "slipping"].filter((mode) => bands.some((band) => band.spans.some((span) => span[2] === mode)));
  const key = modes.map((mode) => element("li", {}, element("span", { class: "swatch block", style: curve_style(band_curves[mode]) }), mode));
  const frame = element("div", { class: "plot" });
  const figure = element("figure", { class: "panel", id: "bands" }, element("figcaption", {}, element("h3", {}, "Contact and sliding"), element("ul", { class: "legend" }, key)), frame,
    open.length > 0 ? element("p", { class: "soft" }, `Never touched: ${some(open, 20)}.`) : null);
  const factor = x.factor;

  const draw = (plot) => {
    const { ctx, bbox } = plot;
    const dot = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${12 * dot}px system-ui, sans-serif`;
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "left";
    const colours = Object.fromEntries(modes.map((mode) => [mode, curve_colour(band_curves[mode])]));
    bands.forEach((band, i) => {
      const top = bbox.top + i * band_row * dot;
      ctx.fillStyle = colour("soft");
      ctx.fillText(band.element, bbox.left + 6 * dot, top + 15 * dot);
      ctx.fillStyle = colour("grid");
      ctx.fillRect(bbox.left, top + 20 * dot, bbox.width, 10 * dot);
      for (const [from, to, mode] of band.spans) {
        const left = plot.valToPos(from * factor, "x", true);
        const right = plot.valToPos(to * factor, "x", true);
        ctx.fillStyle = colours[mode];
        ctx.fillRect(left, top + 20 * dot, Math.max(dot, right - left), 10 * dot);
      }
    });
    ctx.restore();
  };
  figure.start = () => {
    const blank = { ...axis("", "y"), size: tick_room + label_room, labelSize: 0, values: (_, ticks) => ticks.map(() => ""), grid: { show: false }, ticks: { show: false } };
    const plot = mount(
      frame,
      {
        scales: { x: { time: false, range: (_, low, high) => [low, high] }, y: { range: [0, 1] } },
        axes: [{ ...axis(x.label, "x"), grid: { show: false } }, blank],
        series: [{}, { show: false }],
        cursor: over_time(clock),
        hooks: { ...hooks_over_time(clock, factor), draw: [draw] },
      },
      [
        [clock.first * factor, clock.last * factor],
        [null, null],
      ],
      bands.length * band_row + 64,
    );
    clock.time_listeners.push((t) => {
      const left = plot.valToPos(t * factor, "x");
      plot.setCursor({ left: left >= 0 && left <= plot.over.clientWidth ? left : -10, top: 0 }, false);
    });
    clock.window_listeners.push((from, to) => plot.setScale("x", { min: from * factor, max: to * factor }));
  };
  return figure;
}

function extent(values, room) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v === null) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return [0, 1];
  const margin = high > low ? room * (high - low) : Math.abs(high) || 1;
  return [low - margin, high + margin];
}

/// One column over another, in the order of the rows; a dot marks the time of the clock. Rows that are far apart, because others between them were left out,
/// are points: a line between them would be a chord.
export function phase_plot(panel, columns, clock, { points = false } = {}) {
  if (panel.picture) return picture(panel);
  const scaled = (name, factor) => columns.values(name).map((v) => (v === null ? null : v * factor));
  const xs = scaled(panel.x.column, panel.x.factor);
  const curves = panel.y.columns.map((name) => scaled(name, panel.y.factor));
  // Where x is missing there is nothing to see of y.
  const whole = [extent(xs, 0.04), extent(curves.flatMap((ys) => ys.filter((_, i) => xs[i] !== null)), 0.06)];
  let [x_range, y_range] = whole;

  const frame = element("div", { class: "plot" });
  const shown = curves.map(() => true);
  const named = curves.length > 1 ? legend(panel.y.columns.map((label, i) => ({ label, curve: i })), (i, show) => ((shown[i] = show), plot.redraw())).list : "";
  const figure = element("figure", { class: "panel" }, element("figcaption", {}, heading(panel), named), frame);
  let plot;

  const draw = () => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.lineJoin = "round";
    curves.forEach((ys, c) => {
      if (!shown[c]) return;
      ctx.strokeStyle = ctx.fillStyle = curve_colour(c);
      ctx.beginPath();
      let pen = false;
      const dot = (c === 0 && curves.length > 1 ? 3 : 2) * devicePixelRatio;
      for (let i = 0; i < xs.length; ++i) {
        if (xs[i] === null || ys[i] === null) {
          pen = false;
          continue;
        }
        const px = plot.valToPos(xs[i], "x", true);
        const py = plot.valToPos(ys[i], "y", true);
        if (points) ctx.rect(px - dot / 2, py - dot / 2, dot, dot);
        else if (pen) ctx.lineTo(px, py);
        else ctx.moveTo(px, py);
        pen = true;
      }
      points ? ctx.fill() : ctx.stroke();
    });
    ctx.restore();
  };
  const zoom = (x, y) => {
    [x_range, y_range] = [x, y];
    plot.batch(() => {
      plot.setScale("x", { min: x[0], max: x[1] });
      plot.setScale("y", { min: y[0], max: y[1] });
    });
    if (clock) mark(clock.time);
  };
  const dots = curves.map((_, c) => element("div", { class: "dot", style: curve_style(c) }));
  const mark = (t) => {
    const { row } = place_in(columns.time, t);
    curves.forEach((ys, c) => {
      const visible = shown[c] && xs[row] !== null && ys[row] !== null;
      const [px, py] = visible ? [plot.valToPos(xs[row], "x"), plot.valToPos(ys[row], "y")] : [-99, -99];
      dots[c].style.transform = `translate(${px}px, ${py}px)`;
    });
  };
  figure.start = () => {
    plot = mount(
      frame,
      {
        scales: { x: { time: false, range: () => x_range }, y: { range: () => y_range } },
        axes: [axis(panel.x.label, "x"), axis(panel.y.label, "y")],
        series: [{}, { show: true, points: { show: false }, paths: () => null }],
        cursor: {
          points: { show: false },
          drag: { x: true, y: true, uni: 20, setScale: false },
          bind: { dblclick: () => () => zoom(...whole) },
        },
        hooks: {
          draw: [draw],
          setSelect: [
            (u) => {
              const { left, top, width, height } = u.select;
              if (width < 4 || height < 4) return;
              zoom([u.posToVal(left, "x"), u.posToVal(left + width, "x")], [u.posToVal(top + height, "y"), u.posToVal(top, "y")]);
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
          setSize: clock ? [() => queueMicrotask(() => mark(clock.time))] : [],
        },
      },
      [x_range, [y_range[0], y_range[1]]],
      280,
    );
    plot.curve = { x: xs, y: curves, points };
    if (!clock) return;
    plot.over.append(...dots);
    clock.time_listeners.push(mark);
    mark(clock.time);
  };
  return figure;
}

/// Plots need the width of their place; those in a folded part are drawn when it opens.
export function start_plots(root) {
  for (const figure of root.querySelectorAll("figure.panel")) {
    const fold = figure.closest("details:not([open])");
    const begin = () => {
      figure.start?.();
      figure.start = undefined;
    };
    if (fold) fold.addEventListener("toggle", begin, { once: true });
    else begin();
  }
}
