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
  for (const width of [1200, 390]) {
    const page = await browser.newPage();
    const trouble = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => request.url() !== address && !request.url().startsWith("data:") && trouble.push(`asked for ${request.url()}`));
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width === 390 ? "dark" : "light" });
    await page.goto(address);
    await page.waitForFunction(() => window.asperity && [...document.images].every((image) => image.complete));
    const seen = await page.evaluate(async () => {
      // What is drawn in the frame of each panel or map of a picture: curves, every one of some length, or an image. The frame of a colour bar has a style.
      const drawn = (image) => {
        const svg = new DOMParser().parseFromString(decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1)), "image/svg+xml");
        const whole = (panel) => [...panel.querySelectorAll("path.curve")].every((path) => path.getAttribute("d").includes("L")) && panel.querySelector("path.curve");
        const panels = [...svg.querySelectorAll("g[clip-path]")].filter(whole).length;
        return { frames: svg.querySelectorAll("rect.frame:not([style])").length, filled: panels + svg.querySelectorAll("image").length };
      };
      return {
        wide: document.documentElement.scrollWidth,
        sections: [...document.querySelectorAll("section")].map((s) => ({ id: s.id, pictures: s.querySelectorAll("img").length, rows: s.querySelectorAll("tbody tr").length, cited: s.querySelector(".cite").textContent.length })),
        links: [...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href").slice(1)),
        pictures: [...document.images].map((image) => ({ id: image.id, width: image.naturalWidth, shown: image.clientWidth, name: image.alt, ...drawn(image) })),
        marks: [...document.querySelectorAll(".mark")].map((mark) => mark.textContent.replace(/^\W+/u, "")),
      };
    });
    assert.deepEqual(trouble, [], `at ${width} px`);
    assert.ok(seen.wide <= width, `${seen.wide} px wide at ${width} px`);
    assert.deepEqual(seen.sections.map((s) => s.id), ids);
    assert.deepEqual(seen.links.toSorted(), ids.toSorted());  // by paper
    assert.deepEqual(seen.marks, facts.map((fact) => fact.verdict));
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
    }
    console.log(`ok      ${seen.sections.length} experiments, ${seen.pictures.length} pictures at ${width} px`);
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
