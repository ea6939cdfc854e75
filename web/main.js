// Draws the page from the two blocks of JSON in it.
import { compare } from "./compare.js";
import { gallery } from "./gallery.js";
import { identify } from "./identify.js";
import { drawn, start_plots } from "./plots.js";
import { plot, report } from "./report.js";
import { start_theme } from "./theme.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const content = read("content");
start_theme(content.palette);
const { parts, clock } = { report, plot, compare, gallery, identify }[content.kind](content, read("tables"));
const root = document.getElementById("page");
root.append(...parts);
if (content.interactive) start_plots(root);
clock?.set_time(clock.first);
window.asperity = { content, clock, plots: drawn };
