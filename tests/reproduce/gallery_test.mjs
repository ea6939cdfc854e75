// Opens FOLDER/index.html in Chromium: node gallery_test.mjs PLAYWRIGHT_CORE CHROMIUM FOLDER
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, folder] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(resolve(playwright), "index.mjs")));
const profile = mkdtempSync(join(tmpdir(), "asperity-chromium-"));
const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });

try {
  const facts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8"));
  const ids = [...new Set(facts.map((fact) => fact.id))];
  const files = readdirSync(join(folder, "figures"));
  const address = String(pathToFileURL(resolve(folder, "index.html")));
  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]]) {
    const page = await browser.newPage();
    const trouble = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => request.url().split("#")[0] !== address && !request.url().startsWith("data:") && trouble.push(`asked for ${request.url()}`));
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto(address);
    await page.waitForFunction(() => window.asperity);
    const paper_of = new Map(await page.evaluate(() => asperity.content.experiments.map((e) => [e.id, e.paper])));
    const papers = [...new Set(paper_of.values())];
    const what = `at ${width} px, ${colorScheme}`;

    // The index: a picture and a link for each experiment, a link to the page of each paper.
    if (ids.length > 1) {
      const index = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        thumbs: [...document.querySelectorAll(".thumbs a")].map((a) => ({ id: a.getAttribute("href").slice(1), picture: a.querySelector("img") !== null })),
        papers: [...document.querySelectorAll("section > p > a")].map((a) => a.getAttribute("href").slice(1)),
      }));
      assert.ok(index.wide <= width, `the index is ${index.wide} px wide ${what}`);
      assert.deepEqual(index.thumbs.map((thumb) => thumb.id).toSorted(), ids.toSorted());
      assert.ok(index.thumbs.every((thumb) => thumb.picture), "an experiment without a thumbnail");
      assert.deepEqual(index.papers.toSorted(), papers.toSorted());
    }

    const all = { sections: [], pictures: 0, marks: 0 };
    for (const paper of papers) {
      await page.evaluate((hash) => (location.hash = hash), paper);
      await page.waitForFunction((id) => document.getElementById(id) && [...document.images].every((image) => image.complete), facts.find((fact) => paper_of.get(fact.id) === paper).id);
      const own = facts.filter((fact) => paper_of.get(fact.id) === paper);
      const seen = await page.evaluate(async () => {
        // What is drawn in the frame of each panel or map of a picture: curves, every one of some length, or an image. The frame of a colour bar has a style.
        const drawn = (image) => {
          const svg = new DOMParser().parseFromString(decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1)), "image/svg+xml");
          const whole = (panel) => [...panel.querySelectorAll("path.curve")].every((path) => path.getAttribute("d").includes("L")) && panel.querySelector("path.curve");
          const panels = [...svg.querySelectorAll("g[clip-path]")].filter(whole).length;
          return { frames: svg.querySelectorAll("rect.frame:not([style])").length, filled: panels + svg.querySelectorAll("image").length };
        };
        for (const fold of document.querySelectorAll("details")) fold.open = true;
        return {
          wide: document.documentElement.scrollWidth,
          cut: [...document.querySelectorAll(".wide")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${e.closest("section").id} ${e.getAttribute("aria-label")}`),
          sections: [...document.querySelectorAll("section")].map((s) => ({ id: s.id, pictures: s.querySelectorAll("img").length, rows: s.querySelectorAll("tbody tr").length, cited: s.querySelector(".cite").textContent.length })),
          pictures: [...document.images].map((image) => ({ id: image.id, width: image.naturalWidth, shown: image.clientWidth, name: image.alt, filter: getComputedStyle(image).filter, ...drawn(image) })),
          marks: [...document.querySelectorAll(".mark")].map((mark) => mark.textContent.replace(/^\W+/u, "")),
        };
      });
      assert.ok(seen.wide <= width, `${paper}: ${seen.wide} px wide ${what}`);
      assert.deepEqual(seen.cut, [], `${paper}: tables that do not fit ${what}`);
      assert.deepEqual(seen.sections.map((s) => s.id), [...new Set(own.map((fact) => fact.id))]);
      assert.deepEqual(seen.marks, own.map((fact) => fact.verdict));
      for (const section of seen.sections) {
        assert.ok(section.pictures > 0, `${section.id}: no picture`);
        assert.ok(section.cited > 20, `${section.id}: no citation`);
        assert.ok(section.rows >= facts.filter((fact) => fact.id === section.id).length, `${section.id}: facts are missing`);
      }
      for (const picture of seen.pictures) {
        assert.ok(picture.width > 300 && picture.shown > 200, `${picture.id}: ${picture.width} px, shown at ${picture.shown} px`);
        assert.ok(picture.frames > 0 && picture.filled >= picture.frames, `${picture.id}: something is drawn in ${picture.filled} of ${picture.frames} frames`);
        assert.ok(picture.name.length > 10, `${picture.id}: no name`);
        assert.ok(files.includes(`${picture.id}.svg`), `${picture.id}: not in figures/`);
        assert.equal(picture.filter !== "none", colorScheme === "dark", `${picture.id}: a figure that does not follow the theme`);
      }
      all.sections.push(...seen.sections.map((s) => s.id));
      all.pictures += seen.pictures.length;
    }
    assert.deepEqual(all.sections.toSorted(), ids.toSorted());
    // The address of an experiment opens the page of its paper, there.
    await page.goto(`${address}#${ids.at(-1)}`);
    await page.waitForFunction((id) => document.getElementById(id), ids.at(-1));
    assert.deepEqual(trouble, [], what);
    console.log(`ok      ${all.sections.length} experiments, ${all.pictures} pictures ${what}`);
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
