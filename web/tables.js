// Tables of facts.
import { element, number, with_unit } from "./dom.js";

/// Columns: {head, value(row), number: true}. On a narrow screen the rows of a table with many columns become blocks of names and values; what is still
/// too wide scrolls by itself, never the page.
export function table(columns, rows, more = 0, label = "") {
  const cell = (tag, column, content) => element(tag, { class: column.number ? (column.wraps ? "number wraps" : "number") : null, scope: tag === "th" ? "col" : null, "data-head": tag === "td" ? column.head : null }, content);
  const body = rows.map((row) => element("tr", {}, columns.map((column) => cell("td", column, column.value(row) ?? ""))));
  const inner = element(
    "table",
    { "aria-label": label || null, class: columns.length > 3 ? "stack" : null },
    element("thead", {}, element("tr", {}, columns.map((column) => cell("th", column, column.head)))),
    element("tbody", {}, body),
  );
  const frame = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label || "table" }, inner);
  return more > 0 ? [frame, element("p", { class: "soft" }, `and ${more} more`)] : [frame];
}

export function section(id, title, ...content) {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...content);
}

export function folded(summary, ...content) {
  return element("details", {}, element("summary", {}, summary), ...content);
}

/// Events that repeat in one line.
export function events_table(content) {
  const lines = content.event_lines;
  const shown = lines.reduce((sum, line) => sum + line.count, 0);
  return table(
    [
      { head: "time [s]", number: true, value: (e) => number(e.time, 7) },
      { head: "element", value: (e) => e.element },
      { head: "what", value: (e) => element("span", { class: `event ${e.kind}` }, e.text) },
    ],
    lines,
    content.facts.events.count - shown,
    "Events",
  );
}

/// The first ones, each by itself.
export function single_events_table(facts) {
  return table(
    [
      { head: "time [s]", number: true, value: (e) => number(e.time, 7) },
      { head: "what", value: (e) => element("span", { class: `event ${e.kind}` }, e.kind) },
      { head: "element", value: (e) => e.element },
      { head: "speed [m/s]", number: true, value: (e) => (e.kind === "touch" || e.kind === "release" ? number(e.speed) : "") },
    ],
    facts.events.list,
    facts.events.count - facts.events.list.length,
    "Single events",
  );
}

export function impacts_table(facts) {
  return table(
    [
      { head: "element", value: (i) => i.element },
      { head: "touch [s]", number: true, value: (i) => number(i.touch, 7) },
      { head: "release [s]", number: true, value: (i) => number(i.release, 7) },
      { head: "impact [m/s]", number: true, value: (i) => number(i.impact_speed) },
      { head: "separation [m/s]", number: true, value: (i) => number(i.separation_speed) },
      { head: "restitution", number: true, value: (i) => number(i.restitution, 4) },
    ],
    facts.impacts,
    facts.more.impacts,
    "Impacts",
  );
}

export function parameters_table(facts) {
  return table(
    [
      { head: "of", value: (p) => p.component },
      { head: "name", value: (p) => element("code", {}, p.name) },
      { head: "value", number: true, wraps: true, value: (p) => p.value }, // may be a long list
      { head: "unit", value: (p) => (p.unit === "1" ? "" : p.unit) },
      { head: "meaning", value: (p) => p.meaning },
    ],
    facts.parameters,
    facts.more.parameters,
    "Parameters",
  );
}

export function final_table(facts) {
  return table(
    [
      { head: "name", value: (f) => element("code", {}, f.name) },
      { head: "value", number: true, value: (f) => number(f.value, 7) },
      { head: "unit", value: (f) => (f.unit === "1" ? "" : f.unit) },
    ],
    facts.final,
    facts.more.final,
    "Final state",
  );
}

/// What came in and where it is now.
export const energy_rows = [
  ["work done on the system", "work_in"],
  ["kinetic", "kinetic"],
  ["potential", "potential"],
  ["stored in elements", "stored"],
  ["dissipated", "dissipated"],
  ["numerical damping (closing error)", "closing_error"],
];

export function energy_table(facts) {
  const rows = energy_rows.map(([text, key]) => ({ text, value: facts.energy[key] }));
  return table(
    [
      { head: "energy", value: (r) => r.text },
      { head: "at the end [J]", number: true, value: (r) => number(r.value) },
    ],
    rows,
    0,
    "Energy account",
  );
}

export function losses_table(facts) {
  return table(
    [
      { head: "element", value: (e) => e.name },
      { head: "dissipated [J]", number: true, value: (e) => number(e.dissipated) },
    ],
    facts.energy.elements,
    facts.more.losses,
    "Dissipation of each element",
  );
}

/// Which digits a second run confirms.
export function verification_table(found) {
  return table(
    [
      { head: "name", value: (c) => element("code", {}, c.name) },
      { head: "digits that agree", number: true, value: (c) => number(c.digits, 2) },
      { head: "largest difference", number: true, value: (c) => number(c.difference, 3) },
      { head: "unit", value: (c) => (c.unit === "1" ? "" : c.unit) },
      { head: "at [s]", number: true, value: (c) => (c.difference > 0 ? number(c.time, 4) : "") },
    ],
    found.columns.slice(0, 200),
    Math.max(0, found.columns.length - 200),
    "Verification",
  );
}

export function card(name, value, unit, note) {
  return element("div", { class: "card" }, element("span", { class: "name" }, name), element("span", { class: "value" }, with_unit(value, unit, 4)), note ? element("span", { class: "note" }, note) : null);
}
