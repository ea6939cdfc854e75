// Elements and numbers.

/// element("td", {class: "number"}, "5"): attributes that start with "on" are listeners; children that are text stay text.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/// 0.25, −3.1×10⁻⁵; a number that is missing is a dash.
export function number(value, digits = 6) {
  if (typeof value !== "number" || !Number.isFinite(value)) return value === null || value === undefined ? "–" : String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const power = [...String(Number(exponent))].map((c) => raised[c]).join("");
    return `${String(Number(mantissa)).replace("-", "−")}×10${power}`;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/// As many decimals as it takes to tell ticks apart.
export function tick_texts(ticks) {
  if (ticks.length < 2) return ticks.map((tick) => number(tick));
  const step = Math.abs(ticks[1] - ticks[0]);
  const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  if (ticks.some((tick) => Math.abs(tick) >= 1e6)) return ticks.map((tick) => number(tick, 3));
  return ticks.map((tick) => (Math.abs(tick) < 1e-9 * step ? 0 : tick).toFixed(decimals).replace("-", "−"));
}

export function with_unit(value, unit, digits) {
  return unit && unit !== "1" && Number.isFinite(value) ? `${number(value, digits)} ${unit}` : number(value, digits);
}

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/// The colours of curves and bodies, by number: for the canvas and for a style. Themes set them.
export const curve_colours = [];
export function curve_colour(i) {
  return colour(`curve${i % curve_colours.length}`);
}
export function curve_style(i) {
  return `--line: var(--curve${i % curve_colours.length})`;
}

/// The first names of a long list.
export function some(names, most) {
  return names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ");
}
