// Opens every page of the site in Chromium, from files: node site_test.mjs PLAYWRIGHT_CORE CHROMIUM FOLDER
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, folder] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(resolve(playwright), "index.mjs")));
const profile = mkdtempSync(join(tmpdir(), "asperity-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
const address = (name) => String(pathToFileURL(resolve(folder, name)));
const page = await browser.newPage();
let trouble = [];
page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
page.on("pageerror", (error) => trouble.push(String(error)));
page.on("request", (request) => !/^(file|data):/.test(request.url()) && trouble.push(`asked for ${request.url()}`));

const tests = {
  async "every page fits 1280 and 390 pixels, tables need no scrolling on a desktop, no message in the console"() {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: width === 390 ? "dark" : "light" });
      for (const name of files) {
        trouble = [];
        await page.goto(address(name));
        const seen = await page.evaluate(() => {
          const room = document.documentElement.clientWidth;
          const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
          return {
            wide: document.documentElement.scrollWidth - room,
            clipped: [...document.querySelectorAll("main table, main pre, main img, main math")]
              .filter((e) => e.getBoundingClientRect().right > room + 1 && !scrolls(e))
              .map((e) => e.outerHTML.slice(0, 80)),
            hidden: [...document.querySelectorAll("td, th")].filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === "hidden").length,
            scrolled: room > 1000 ? [...document.querySelectorAll(".table")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText.slice(0, 60)) : [],
            broken: [...document.images].filter((e) => e.complete && e.naturalWidth === 0).map((e) => e.src),
          };
        });
        assert.deepEqual(trouble, [], `${name} at ${width}`);
        assert.deepEqual(seen, { wide: 0, clipped: [], hidden: 0, scrolled: [], broken: [] }, `${name} at ${width}`);
      }
    }
  },

  async "search works from a file and leads to the place"() {
    await page.goto(address("guides/trust.html"));
    await page.fill("#search", "rigid limit");
    const links = await page.$$eval("#results a", (all) => all.map((e) => e.getAttribute("href")));
    assert.ok(links.some((link) => link.endsWith("concepts/rigid-limit.html#the-rigid-limit")), links.join(" "));
    await page.fill("#search", "xyzzyq");
    assert.equal(await page.textContent("#results"), "Nothing found.");
    await page.fill("#search", "differential inclusion");
    await page.press("#search", "Enter");
    await page.waitForURL(/differential-inclusion|inclusions/);
  },

  async "the theme follows the system and the button"() {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address("index.html"));
    assert.equal(await paper(), "rgb(255, 255, 255)");
    await page.click("#theme");
    const dark = await paper();
    assert.notEqual(dark, "rgb(255, 255, 255)");
    await page.goto(address("concepts/creep.html"));
    assert.equal(await paper(), dark);
    await page.click("#theme");
    assert.equal(await paper(), "rgb(255, 255, 255)");
  },

  async "formulas are drawn, and the menu of a phone opens"() {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(address("concepts/creep.html"));
    const formula = await page.$eval("math[display=block]", (e) => e.getBoundingClientRect().height);
    assert.ok(formula > 30, `a fraction is ${formula} px high`);
    assert.equal(await page.isVisible("#pages"), false);
    await page.click("#menu");
    assert.equal(await page.isVisible("#pages"), true);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`passed: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${error.message}`);
  }
}
await browser.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
