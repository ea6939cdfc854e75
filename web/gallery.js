// The experiments of the papers: figures, facts, verdicts.
import { element, number } from "./dom.js";
import { head } from "./report.js";
import { folded, parameters_table, section, table } from "./tables.js";

function drawing(experiment, { caption, picture }, i) {
  const name = `${experiment.where}: ${caption || experiment.title}`;
  return element("figure", { class: "panel drawing" }, element("img", { class: "picture", id: `${experiment.id}-${i + 1}`, alt: name, src: `data:image/svg+xml,${encodeURIComponent(picture)}` }), caption ? element("figcaption", {}, element("span", { class: "hint" }, caption)) : null);
}

const mark = { passed: "✓ passed", failed: "✗ failed", measured: "measured" };
const shade = { passed: "good", failed: "bad", measured: "soft" };

function facts_table(facts) {
  return table(
    [
      { head: "fact", value: (f) => [f.fact, f.at ? element("span", { class: "at" }, f.at) : null] },
      { head: "measured", number: true, value: (f) => number(f.value, 7) },
      { head: "expected", number: true, value: (f) => (f.expected === null ? "" : number(f.expected, 7)) },
      { head: "tolerance", number: true, value: (f) => (f.tolerance === null ? "" : number(f.tolerance, 2)) },
      { head: "unit", value: (f) => (f.unit === "1" ? "" : f.unit) },
      { head: "verdict", value: (f) => element("span", { class: `mark ${shade[f.verdict]}` }, mark[f.verdict]) },
      { head: "expectation", value: (f) => (["converged run", "independent run, same step"].includes(f.source) ? element("span", { title: f.from }, f.source) : f.source ? `${f.source}: ${f.from}` : "") },
    ],
    facts,
    0,
    "Facts",
  );
}

function experiment_section(experiment, papers) {
  const parts = [element("p", { class: "cite" }, papers[experiment.paper]), element("p", {}, experiment.about)];
  if (experiment.failure) parts.push(element("p", { class: "verdict bad" }, element("strong", {}, "Failed: "), experiment.failure));
  if (experiment.doubts?.length) parts.push(element("details", { class: "note" }, element("summary", {}, element("strong", {}, "Doubts of its runs: "), experiment.doubted), element("ul", {}, experiment.doubts.map((doubt) => element("li", {}, doubt)))));
  if (experiment.differs) parts.push(element("p", { class: "note differs" }, element("strong", {}, "Paper and numbers: "), experiment.differs));
  parts.push(...experiment.pictures.map((picture, i) => drawing(experiment, picture, i)));
  if (!experiment.failure) parts.push(...facts_table(experiment.facts));
  if (experiment.parameters.length > 0) parts.push(folded("Parameters", ...parameters_table({ parameters: experiment.parameters, more: { parameters: 0 } })));
  if (experiment.scenes.length > 0) parts.push(element("p", { class: "soft" }, "Run it yourself: ", experiment.scenes.map((name) => element("code", { class: "command" }, `asperity run scenes/papers/${name}.toml`))));
  return section(experiment.id, `${experiment.paper} ${experiment.where}: ${experiment.title}`, ...parts);
}

function index(experiments) {
  const papers = [...new Set(experiments.map((e) => e.paper))];
  const link = (e) => element("a", { href: `#${e.id}`, class: e.passed ? null : "failed", title: e.title }, e.where);
  return papers.map((paper) => element("nav", { "aria-label": paper }, element("strong", {}, paper), experiments.filter((e) => e.paper === paper).map(link)));
}

export function gallery(content) {
  const { experiments, papers } = content;
  const facts = experiments.flatMap((e) => e.facts);
  const count = (verdict) => facts.filter((f) => f.verdict === verdict).length;
  const failed = count("failed");
  const verdict = element(
    "p",
    { class: `verdict ${failed > 0 ? "bad" : "good"}`, role: "status" },
    element("strong", {}, failed > 0 ? `${failed} of ${facts.length - count("measured")} facts failed.` : `${count("passed")} facts passed.`),
    ` ${experiments.length === 1 ? "1 experiment" : `${experiments.length} experiments`}; ${count("measured")} more numbers are measured only: nothing says what they should be. A "converged run" is an independent implementation of the same equations, refined until its digits stood; an "independent run, same step" is that implementation with the step of the fact; "this program, a second way" compares two of its own ways and proves neither.`,
  );
  const sections = experiments.map((experiment) => experiment_section(experiment, papers));
  return { parts: [head(content.title, verdict), ...index(experiments), ...sections] };
}
