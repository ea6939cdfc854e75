// Laws fitted to measured data, beside each other.
import { element, number, with_unit } from "./dom.js";
import { Clock, Columns, phase_plot } from "./plots.js";
import { head, navigation, plots_over_time } from "./report.js";
import { folded, section, table } from "./tables.js";

function ranking(facts) {
  const error = (rms, part) => `${number(rms, 4)} (${number(part, 3)} %)`;
  const judged = facts.judged_part_that_was_fitted === 0 ? "unseen" : "judged";
  const columns = [
    { head: "law", value: (l) => element("code", {}, l.law) },
    { head: `${judged}, rms [${facts.force_unit}]`, number: true, value: (l) => error(l.judged_rms, l.judged_rms_per_cent_of_range) },
    { head: `fitted, rms [${facts.force_unit}]`, number: true, value: (l) => error(l.fitted_rms, l.fitted_rms_per_cent_of_range) },
    { head: `simulated position, rms [${facts.length_unit}]`, number: true, value: (l) => (l.simulated_position_rms === null ? "" : number(l.simulated_position_rms, 4)) },
    { head: "parameters", number: true, value: (l) => number(l.parameters_free) },
    { head: "states", number: true, value: (l) => number(l.states) },
    { head: "a sample [ns]", number: true, value: (l) => number(l.nanoseconds_per_sample, 3) },
  ];
  const shown = columns.filter((c) => !c.head.startsWith("simulated") || facts.laws.some((l) => l.simulated_position_rms !== null));
  const label = `Laws by their error on ${facts.judged_on}`;
  return [...table(shown, facts.laws, 0, label), element("p", { class: "soft" }, `Per cent of the range of the fitted force, ${with_unit(facts.force_range, facts.force_unit, 4)}.`)];
}

function parameters(law) {
  return table(
    [
      { head: "name", value: (p) => element("code", {}, p.name) },
      { head: "value", number: true, value: (p) => number(p.value, 5) },
      { head: "unit", value: (p) => (p.unit === "1" ? "" : p.unit) },
      { head: "standard error", number: true, value: (p) => (p.error === null ? "" : number(p.error, 2)) },
      { head: "95 %", value: (p) => p.remark || `${number(p.low, 4)} .. ${number(p.high, 4)}` },
    ],
    law.parameters,
    0,
    `Parameters of ${law.law}`,
  );
}

function law_part(law) {
  const doubts = law.not_told.map((line) => element("li", {}, line));
  const residuals = law.residuals.white
    ? "Residuals are white."
    : `Residuals are not white (neighbours correlate by ${number(law.residuals.neighbour_correlation, 3)}): there is more in the data than this law says. Errors are widened as if ${number(law.residuals.samples_that_count_as_one, 3)} samples counted as one.`;
  const failed = law.why_not ? element("p", { class: "note" }, `Not identified: ${law.why_not}.`) : null;
  return [failed, ...parameters(law), doubts.length > 0 ? element("p", {}, element("strong", {}, "Not identifiable from the data:")) : null, doubts.length > 0 ? element("ul", { class: "warnings", "aria-label": "Not identifiable" }, doubts) : null, element("p", { class: law.residuals.white ? "soft" : "note" }, residuals)].filter((part) => part);
}

export function identify(content, tables) {
  const { facts } = content;
  const columns = new Columns(tables[0]);
  const clock = new Clock(columns.time[0] ?? 0, columns.time.at(-1) ?? 1);
  const taken = facts.laws.find((law) => law.law === facts.recommended);
  const others = facts.laws.filter((law) => law !== taken);
  const thinned = content.rows.recorded > content.rows.shown;
  const phases = content.phases.map((panel) => phase_plot(panel, columns, clock, { points: thinned || panel.y.columns.every((name) => name.startsWith("residual ")) }));
  const drawn = thinned ? element("p", { class: "soft" }, `${content.rows.shown} of ${content.rows.recorded} rows are drawn, as points.`) : null;
  const sections = [
    section("laws", `Laws by their error on ${facts.judged_on}`, ...ranking(facts)),
    plots_over_time(content, [{ label: "", columns }], clock),
    section("phases", "Over the motion", drawn, element("div", { class: "grid" }, phases)),
    section("taken", taken.law, ...law_part(taken)),
    others.length > 0 ? section("others", "The other laws", ...others.map((law) => folded(law.law, ...law_part(law)))) : null,
    section("scene-text", "Scene", folded("The law as it was identified, for asperity run", element("pre", { tabindex: "0" }, content.scene_text))),
  ].filter((part) => part);
  const verdict = element("p", { class: taken.identified ? "verdict good" : "verdict bad", role: "status" }, facts.advice);
  const notes = element("ul", { class: "notes", "aria-label": "Notes" }, [`Fitted: ${facts.fitted}. Judged: ${facts.judged}.`, ...facts.notes].map((note) => element("li", {}, note)));
  return { parts: [head(content.title, verdict, notes), navigation(sections), ...sections], clock };
}
