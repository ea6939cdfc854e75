// The report of one run.
import { element, number, some, with_unit } from "./dom.js";
import { Clock, Columns, band_plot, phase_plot, picture, time_plot, zoom_buttons } from "./plots.js";
import { scene_view } from "./scene_view.js";
import { card, energy_table, events_table, final_table, folded, impacts_table, losses_table, parameters_table, section, single_events_table, verification_table } from "./tables.js";
import { theme_button } from "./theme.js";

export function head(title, ...below) {
  return element("header", {}, element("div", { class: "bar" }, element("span", { class: "brand" }, "Asperity"), theme_button()), element("h1", {}, title), ...below);
}

export function navigation(sections) {
  return element("nav", { "aria-label": "Parts of this page" }, sections.map((part) => element("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
}

export function missing_uplot() {
  return element("p", { class: "note" }, "The plots are still pictures: this Asperity was built without uPlot. ", element("code", {}, "tools/install-deps build"), " fetches it; build again for plots to zoom and read.");
}

function verdict(facts) {
  const { run, failure } = facts;
  if (failure) return element("p", { class: "verdict bad", role: "status" }, element("strong", {}, `Failed at ${with_unit(failure.time, "s")}`), ` of ${with_unit(run.duration, "s")}: ${failure.text}`);
  if (!run.finished) return element("p", { class: "verdict doubtful", role: "status" }, element("strong", {}, `Stopped at ${with_unit(run.time, "s")}`), ` of ${with_unit(run.duration, "s")}.`);
  const failed = facts.findings.some((finding) => finding.severity === "failure");
  const [mark, word] = failed ? ["bad", "Finished, but the numbers are wrong:"] : facts.findings.some((finding) => finding.severity !== "remark") ? ["doubtful", "Finished, but the numbers are doubtful:"] : ["good", "Finished"];
  return element("p", { class: `verdict ${mark}`, role: "status" }, element("strong", {}, word), ` ${with_unit(run.time, "s")} in ${number(run.steps, 9)} steps of ${run.method}.`);
}

/// What the bodies do at the end, in a word and with its numbers; before everything else.
export function motions(lines) {
  const line = (text) => {
    const colon = text.indexOf(": ");
    if (/^\d+ (more )?pairs /.test(text)) return element("li", {}, text);
    const [, word, rest] = text.slice(colon + 2).match(/^(sticks and slips|moves back and forth|\S+)(.*)$/s);
    return element("li", {}, `${text.slice(0, colon)}: `, element("strong", {}, word), rest);
  };
  return lines.length > 0 ? element("ul", { class: "motions", "aria-label": "What the bodies do" }, lines.map(line)) : null;
}

const word_of = ({ severity }) => (severity === "failure" ? "wrong" : severity === "remark" ? "remark" : "doubtful");

export function findings(facts, label = "") {
  const list = facts.findings.map((finding) => element("li", { class: finding.severity }, element("strong", {}, `${label ? `${label}: ` : ""}${word_of(finding)}: `), finding.text));
  return list.length > 0 ? element("ul", { class: "warnings", "aria-label": "Findings" }, list) : null;
}

function verification(facts) {
  const found = facts.verification;
  if (!found) return null;
  return folded(`Verified by a run with ${found.by}: ${found.verdict}, ${number(found.events, 9)} events`, verification_table(found));
}

function warnings(facts) {
  // The texts begin with the name of what they are about.
  const named = ({ component, text }) => (component && text.startsWith(`${component}: `) ? [element("strong", {}, component), text.slice(component.length)] : [text]);
  const alike = (w) => (w.alike?.length ? ` (alike: ${some(w.alike, 8)})` : "");
  const found = (severity) => facts.warnings.filter((w) => (w.severity ?? "warning") === severity).map((w) => element("li", {}, ...named(w), alike(w)));
  const list = found("warning");
  if (facts.more.warnings > 0) list.push(element("li", {}, `and ${facts.more.warnings} more`));
  const notes = [...found("note"), ...facts.notes.map((note) => element("li", {}, note))];
  return [list.length > 0 ? element("ul", { class: "warnings", "aria-label": "Warnings" }, list) : null, notes.length > 0 ? element("ul", { class: "notes", "aria-label": "Notes" }, notes) : null];
}

function closing_part(energy) {
  const most = Math.max(...["work_in", "kinetic", "potential", "stored", "dissipated"].map((key) => Math.abs(energy[key] ?? 0)));
  return most > 0 && energy.closing_error !== null ? Math.abs(energy.closing_error) / most : null;
}

function cards(facts) {
  const part = closing_part(facts.energy);
  return element(
    "div",
    { class: "cards" },
    card("simulated", facts.run.time, "s", facts.run.wall_seconds > 0 ? `in ${with_unit(facts.run.wall_seconds, "s", 3)}` : null),
    card("steps", facts.run.steps, "", /^(rk4|euler|implicit)/.test(facts.run.method) ? `of ${with_unit(facts.run.step, "s")}` : facts.run.method),
    facts.run.iterations > 0 ? card("Newton iterations", facts.run.iterations, "", `${number(facts.run.retries, 9)} retries, ${number(facts.run.substeps, 9)} shorter steps`) : null,
    card("events", facts.events.count, "", facts.impacts.length > 0 ? `${facts.impacts.length + facts.more.impacts} impacts` : null),
    card("dissipated", facts.energy.dissipated, "J"),
    card("numerical damping", facts.energy.closing_error, "J", part === null ? null : `${number(part, 2)} of the largest`),
  );
}

function time_section(content, runs, clock, extra) {
  const main = content.panels.filter((panel) => panel.place === "main");
  const more = content.panels.filter((panel) => panel.place === "more");
  const plot = (panel) => time_plot(panel, runs, clock);
  const parts = [];
  if (content.interactive) parts.push(element("div", { class: "above" }, element("p", { class: "soft" }, "Drag to zoom, double-click to see all. Names show and hide curves."), zoom_buttons(clock)));
  else parts.push(missing_uplot());
  parts.push(...main.map(plot), ...extra);
  const kinds = [...new Set(more.map((panel) => panel.title.split(":")[0].toLowerCase()))];
  if (more.length > 0) parts.push(folded(`More: ${kinds.join(", ")}`, ...more.map(plot)));
  if (content.zero.length > 0) parts.push(folded(content.zero.length === 1 ? "1 column is zero all the time" : `${content.zero.length} columns are zero all the time`, element("p", { class: "soft" }, `${some(content.zero, 100)}.`)));
  return parts;
}

/// Plots over time, and bands below them.
export function plots_over_time(content, runs, clock) {
  const bands = content.interactive && content.kind === "report" ? content.bands : [];
  const x = content.panels[0]?.x ?? { label: "time [s]", factor: 1 };
  const extra = bands.some((band) => band.spans.length > 0) ? [band_plot(bands, x, clock)] : [];
  if (content.panels.length === 0 && extra.length === 0) return null;
  return section("plots", "Over time", ...time_section(content, runs, clock, extra));
}

export function report(content, tables) {
  const { facts } = content;
  const columns = new Columns(tables[0]);
  const clock = new Clock(columns.time[0] ?? 0, columns.time.at(-1) ?? 1);
  const runs = [{ label: "", columns }];
  const scene = scene_view(facts, columns, clock);

  const phases = content.phases.map((panel) => phase_plot(panel, columns, clock));
  const energy_plots = content.panels.filter((panel) => panel.place === "energy").map((panel) => time_plot(panel, runs, clock));
  const losses = facts.energy.elements.some((e) => e.dissipated !== 0) ? losses_table(facts) : [];
  const recorded = content.rows.recorded > content.rows.shown ? `Of ${content.rows.recorded} recorded rows ${content.rows.shown} are drawn, with every peak; all of them are in ${facts.files.data ?? "the data file"}.` : "";
  const left_out = content.columns_left_out > 0 ? ` ${content.columns_left_out} more columns are only in the data file.` : "";

  const sections = [
    scene ? section("motion", "Motion", scene) : null,
    plots_over_time(content, runs, clock),
    phases.length > 0 ? section("phases", "Force over motion", element("div", { class: "grid" }, phases.slice(0, 6)), phases.length > 6 ? folded(`${phases.length - 6} more`, element("div", { class: "grid" }, phases.slice(6))) : null) : null,
    section("energy", "Energy", ...energy_plots, element("div", { class: "columns" }, element("div", {}, ...energy_table(facts)), losses.length > 0 ? element("div", {}, ...losses) : null)),
    facts.impacts.length > 0 ? section("impacts", "Impacts", ...impacts_table(facts)) : null,
    facts.events.count > 0 ? section("events", "Events", ...events_table(content), content.event_lines.some((line) => line.count > 1) ? folded(`The first ${facts.events.list.length} events, one by one`, ...single_events_table(facts)) : null) : null,
    facts.final.length > 0 ? section("final", "Final state", ...final_table(facts)) : null,
    facts.parameters.length > 0 ? section("parameters", "Parameters", ...parameters_table(facts)) : null,
    content.scene_text ? section("scene-text", "Scene", folded("The scene with every setting, which gives this run again", element("pre", { tabindex: "0" }, content.scene_text))) : null,
  ].filter((part) => part);

  const top = head(content.title, facts.cite ? element("p", { class: "cite" }, facts.cite) : null, motions(content.motion_lines), verdict(facts), findings(facts), ...warnings(facts), cards(facts), verification(facts));
  const foot = element("footer", {}, element("p", {}, [`${recorded}${left_out}`.trim(), recorded || left_out ? element("br") : null, `Made by Asperity ${facts.asperity}${facts.scene ? ` from ${facts.scene.split("/").at(-1)}` : ""}.`].filter((part) => part)));
  return { parts: [top, navigation(sections), ...sections, foot], clock };
}

/// Columns over one column: over a time or any other that grows, with linked plots; else as curves in a plane.
export function plot(content, tables) {
  const columns = new Columns(tables[0]);
  const xs = columns.time;
  const grows = xs.every((x, i) => x !== null && (i === 0 || x > xs[i - 1]));
  const clock = grows && xs.length > 1 ? new Clock(xs[0], xs.at(-1)) : null;
  const plots = content.panels.map((panel) => (panel.picture ? picture(panel) : clock ? time_plot(panel, [{ label: "", columns }], clock) : phase_plot(panel, columns, null)));
  const tools = content.interactive ? element("div", { class: "above" }, element("p", { class: "soft" }, "Drag to zoom, double-click to see all."), clock ? zoom_buttons(clock) : null) : missing_uplot();
  return { parts: [head(content.title), element("section", { class: "alone" }, tools, ...plots)], clock };
}
