// Menu, theme and search. The index is a script, so that it loads from a file, too.
const root = document.documentElement;
const up = document.body.dataset.up;
const menu = document.getElementById("menu");
const pages = document.getElementById("pages");
menu.addEventListener("click", () => menu.setAttribute("aria-expanded", pages.classList.toggle("open")));

document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("asperity-theme", root.dataset.theme); } catch (_) { /* a browser may forbid it for files */ }
});

const input = document.getElementById("search");
const results = document.getElementById("results");

function found(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = [];
  for (const [address, title, heading, text] of window.searchIndex) {
    const head = `${title} ${heading}`.toLowerCase();
    const body = text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const inHead = head.includes(word);
      const inBody = body.includes(word);
      if (!inHead && !inBody) { score = -1; break; }
      score += (inHead ? 10 : 0) + (heading.toLowerCase().includes(word) ? 5 : 0) + (inBody ? 1 : 0);
    }
    if (score > 0) hits.push({ address, title, heading, text, score });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, 12);
}

function show() {
  results.replaceChildren();
  const query = input.value.trim();
  results.hidden = query.length < 2;
  if (results.hidden) return;
  const hits = found(query);
  for (const hit of hits) {
    const link = document.createElement("a");
    link.href = up + hit.address;
    link.append(hit.heading ? `${hit.title}: ${hit.heading}` : hit.title);
    const first = query.toLowerCase().split(/\s+/)[0];
    const at = Math.max(0, hit.text.toLowerCase().indexOf(first) - 50);
    const small = document.createElement("small");
    small.textContent = hit.text.slice(at, at + 150);
    link.append(small);
    const item = document.createElement("li");
    item.append(link);
    results.append(item);
  }
  if (!hits.length) results.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
}
input.addEventListener("input", show);
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { input.value = ""; show(); }
  if (event.key === "Enter") results.querySelector("a")?.click();
});
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) results.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); input.focus(); }
});
