// The experiments of the papers: figures, facts, verdicts.
import { element, number } from "./dom.js";
import { head } from "./report.js";
import { folded, parameters_table, section, table } from "./tables.js";

/// A curve of a figure that is shown small has to be as thick as it is large.
const small = ({ picture }) => ({ picture: picture.replace(/<\/svg>\s*$/, "<style>path.curve { stroke-width: 4.5px !important; }</style></svg>") });
const source_of = ({ picture }) => `data:image/svg+xml,${encodeURIComponent(picture)}`;

function drawing(experiment, picture, i) {
  const { caption } = picture;
  const name = `${experiment.where}: ${caption || experiment.title}`;
  return element("figure", { class: "panel drawing" }, element("img", { class: "picture", id: `${experiment.id}-${i + 1}`, alt: name, src: source_of(picture) }), caption ? element("figcaption", {}, element("span", { class: "hint" }, caption)) : null);
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

const papers_of = (experiments) => [...new Set(experiments.map((e) => e.paper))];

/// A picture of each experiment, by paper.
function index(experiments, papers) {
  const thumb = (e) => {
    const passed = e.facts.filter((f) => f.verdict === "passed").length;
    const failed = e.facts.filter((f) => f.verdict === "failed").length;
    return element(
      "li",
      {},
      element(
        "a",
        { href: `#${e.id}`, class: e.passed ? null : "failed" },
        e.pictures.length > 0 ? element("img", { class: "picture", alt: "", loading: "lazy", src: source_of(small(e.pictures[0])) }) : null,
        element("span", { class: "where" }, e.where),
        element("span", {}, e.title),
        element("span", { class: "counts" }, e.failure ? "failed" : `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}`),
      ),
    );
  };
  return papers_of(experiments).map((paper) => {
    const own = experiments.filter((e) => e.paper === paper);
    return section(`index-${paper}`, paper, element("p", { class: "cite" }, papers[paper]), element("p", {}, element("a", { href: `#${paper}` }, own.length === 1 ? "Its experiment" : `All ${own.length} experiments on one page`)), element("ul", { class: "thumbs" }, own.map(thumb)));
  });
}

/// The experiments of one paper, with links to each and to the other papers.
function paper_page(paper, experiments, papers) {
  const own = experiments.filter((e) => e.paper === paper);
  const all = papers_of(experiments);
  const others = element("nav", { "aria-label": "Papers" }, all.length > 1 || own.length > 1 ? element("a", { href: "#" }, "All papers") : null, all.filter((one) => one !== paper).map((one) => element("a", { href: `#${one}` }, one)));
  const link = (e) => element("a", { href: `#${e.id}`, class: e.passed ? null : "failed", title: e.title }, e.where);
  return [others, own.length > 1 ? element("nav", { "aria-label": paper }, element("strong", {}, paper), own.map(link)) : null, ...own.map((e) => experiment_section(e, papers))].filter((part) => part);
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
  // The address says which page it is: none the index, a paper its page, an experiment its place on that page.
  const body = element("div");
  let shown = null;
  const show = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const found = experiments.find((e) => e.id === name);
    const paper = found?.paper ?? (papers[name] ? name : experiments.length === 1 ? experiments[0].paper : "");
    if (paper !== shown) body.replaceChildren(...(paper ? paper_page(paper, experiments, papers) : index(experiments, papers)));
    const moved = paper !== shown;
    shown = paper;
    if (found) document.getElementById(found.id)?.scrollIntoView();
    else if (moved) scrollTo(0, 0);
  };
  addEventListener("hashchange", show);
  show();
  return { parts: [head(content.title, verdict), body] };
}
