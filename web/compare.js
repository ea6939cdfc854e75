// Two runs over one another.
import { element, number, some, with_unit } from "./dom.js";
import { Clock, Columns, time_plot } from "./plots.js";
import { findings, head, navigation, plots_over_time } from "./report.js";
import { energy_rows, section, table } from "./tables.js";

const difference = (r) => (typeof r.a === "number" && typeof r.b === "number" ? number(r.b - r.a, 4) : "");

function both(name, labels, rows, digits = 6) {
  const columns = [
    { head: name, value: (r) => r.name },
    { head: labels[0], number: true, value: (r) => number(r.a, digits) },
    { head: labels[1], number: true, value: (r) => number(r.b, digits) },
  ];
  if (rows.some((r) => difference(r))) columns.push({ head: "difference", number: true, value: difference });
  return table(columns, rows, 0, name);
}

export function compare(content, tables) {
  const { labels, facts, differences } = content;
  const runs = tables.map((list, i) => ({ label: `(${labels[i]})`, columns: new Columns(list) }));
  const ends = runs.map((run) => [run.columns.time[0] ?? 0, run.columns.time.at(-1) ?? 1]);
  const clock = new Clock(Math.min(ends[0][0], ends[1][0]), Math.max(ends[0][1], ends[1][1]));

  const settings = differences.parameters.map((p) => ({ ...p, name: p.unit && p.unit !== "1" ? `${p.name} [${p.unit}]` : p.name }));
  const columns = table(
    [
      { head: "column", value: (c) => element("code", {}, c.name) },
      { head: "unit", value: (c) => (c.unit === "1" ? "" : c.unit) },
      { head: `${labels[0]}, at the end`, number: true, value: (c) => number(c.a, 5) },
      { head: `${labels[1]}, at the end`, number: true, value: (c) => number(c.b, 5) },
      { head: "difference", number: true, value: difference },
      { head: "farthest apart", number: true, value: (c) => number(c.most, 4) },
      { head: "at [s]", number: true, value: (c) => (c.most > 0 ? number(c.at, 5) : "") },
    ],
    differences.columns,
    0,
    "Differences",
  );
  const kinds = { touch: "touches", release: "releases", slip: "slips", stick: "sticks", all: "events", impacts: "impacts" };
  const events = Object.entries(kinds).map(([key, name]) => ({ name, a: differences.events[0][key], b: differences.events[1][key] }));
  const energy = energy_rows.map(([name, key]) => ({ name: `${name} [J]`, a: facts[0].energy[key], b: facts[1].energy[key] }));
  const only = differences.only.map((names, i) => (names.length > 0 ? element("p", { class: "soft" }, `Only ${labels[i]} has ${some(names, 30)}.`) : null));
  const verdicts = facts.map((f, i) => {
    const text = f.failure ? `failed at ${with_unit(f.failure.time, "s")}: ${f.failure.text}` : `${with_unit(f.run.time, "s")} in ${number(f.run.steps, 9)} steps of ${f.run.method}`;
    return element("li", {}, element("span", { class: i > 0 ? "swatch dashed" : "swatch", style: "--line: currentColor" }), element("strong", {}, labels[i]), ` ${f.title || f.scene}: ${text}`);
  });

  const energy_plots = content.panels.filter((panel) => panel.place === "energy").map((panel) => time_plot(panel, runs, clock));

  const sections = [
    settings.length > 0 ? section("settings", "What was set differently", ...both("setting", labels, settings)) : null,
    plots_over_time(content, runs, clock),
    section("differences", "Differences", ...columns, ...only),
    section("account", "Events and energy", ...energy_plots, element("div", { class: "columns" }, element("div", {}, ...both("events", labels, events)), element("div", {}, ...both("energy", labels, energy, 5)))),
  ].filter((part) => part);
  return { parts: [head(content.title, element("ul", { class: "sides" }, verdicts), ...facts.map((f, i) => findings(f, labels[i]))), navigation(sections), ...sections], clock };
}
