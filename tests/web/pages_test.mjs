// Opens the pages that run.sh made, in Chromium: node pages_test.mjs PLAYWRIGHT_CORE CHROMIUM FOLDER
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, folder] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(resolve(playwright), "index.mjs")));
const profile = mkdtempSync(join(tmpdir(), "asperity-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: { width: 1200, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/// Opens a page of the folder; what it complains about, asks the network for or pops up is in `trouble`.
async function open(name, { width = 1200, dark = false, moving = false } = {}) {
  const page = await browser.newPage();
  const address = String(pathToFileURL(resolve(folder, name)));
  page.trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.trouble.push(message.text()));
  page.on("pageerror", (error) => page.trouble.push(String(error)));
  page.on("dialog", (dialog) => (page.trouble.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url() !== address && !request.url().startsWith("data:") && page.trouble.push(`asked for ${request.url()}`));
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: moving ? "no-preference" : "reduce" });
  await page.goto(address);
  await page.waitForFunction(() => window.asperity);
  await frames(page);
  return page;
}

/// Until everything that was asked for is drawn.
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
const picture_of = (page, selector) => page.evaluate((s) => document.querySelector(s).toDataURL(), selector);
const window_of = (page) => page.evaluate(() => asperity.clock.window);
const close = (a, b, room, what) => assert.ok(Math.abs(a - b) <= room, `${what}: ${a} is not ${b}`);

const tests = {
  async "every page opens in silence, draws its plots, fits a phone"() {
    const runs = ["line", "plane", "space", "box", "arm", "hinges", "grasps", "stack", "hostile"].map((name) => `${name}/report.html`);
    for (const name of [...runs, "compare/compare.html", "identify/report.html", "heavy/report.html", "over_time.html", "over_position.html"]) {
      for (const width of [1200, 390]) {
        const page = await open(name, { width, dark: width === 390 });
        for (const fold of await page.$$("details > summary")) await fold.click();
        await frames(page);
        const seen = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
          nameless: [...document.querySelectorAll("button, select, input, canvas#scene")].filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label"))).length,
          figures: document.querySelectorAll("figure.panel").length,
          plots: asperity.plots.map((plot) => {
            const { width: w, height: h } = plot.ctx.canvas;
            const pixels = plot.ctx.getImageData(0, 0, w, h).data;
            const colours = new Set();
            for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 200) colours.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`);
            const ticks = plot.axes.filter((axis) => axis.label).map((axis) => [axis._splits, axis._values]);
            return { lengths: (plot.curve ? [plot.curve.x, ...plot.curve.y] : plot.data).map((d) => d.length), colours: colours.size, ticks, width: plot.width, room: plot.root.parentElement.clientWidth };
          }),
        }));
        const what = `${name} at ${width} px`;
        assert.deepEqual(page.trouble, [], what);
        assert.ok(seen.wide <= width, `${what} is ${seen.wide} px wide`);
        assert.equal(new Set(seen.ids).size, seen.ids.length, `${what}: ids twice`);
        assert.equal(seen.nameless, 0, `${what}: controls without a name`);
        assert.equal(seen.plots.length, seen.figures, `${what}: plots that were not drawn`);
        assert.ok(seen.plots.length > 0, `${what}: no plots`);
        for (const plot of seen.plots) {
          assert.ok(plot.lengths.length >= 2 && plot.lengths[0] > 1 && plot.lengths.every((n) => n === plot.lengths[0]), `${what}: lengths ${plot.lengths}`);
          assert.ok(plot.colours > 3, `${what}: a blank plot`);
          assert.equal(plot.width, plot.room, `${what}: a plot that does not fill its place`);
          for (const [places, texts] of plot.ticks)
            (places ?? assert.fail(`${what}: an axis without ticks`)).forEach((place, i) => {
              const value = Number(texts[i].replace("−", "-"));
              if (Number.isFinite(value)) close(value, place, 1e-9 + 1e-6 * Math.abs(place), `${what}: a tick`);
            });
        }
        await page.close();
      }
    }
  },

  async "plots show the numbers of the run"() {
    const page = await open("line/report.html");
    const { shown, recorded } = await page.evaluate(() => {
      const table = JSON.parse(document.getElementById("tables").textContent)[0];
      const panel = asperity.content.panels[0];
      return { shown: asperity.plots[0].data[1].map((v) => v / panel.y.factor), recorded: table.find((c) => c.name === panel.y.columns[0]).values };
    });
    assert.equal(shown.length, recorded.length);
    assert.ok(shown.length > 2000 && shown.length <= 3000, `${shown.length} rows`);
    shown.forEach((v, i) => close(v, recorded[i], 1e-12, `row ${i}`));
    // It slides at 1 s and is held from 2.3 s on [xiong2013, Fig. 3.4]: the legend says so at these times.
    await page.evaluate(() => asperity.clock.set_time(10));
    assert.match(await page.textContent("#plots .legend .value"), /^30\.\d+$/);
    await page.evaluate(() => asperity.clock.set_time(0.5));
    const early = Number(await page.textContent("#plots .legend .value"));
    assert.ok(early > 0 && early < 0.1, `${early} mm before it slides`);
    assert.deepEqual(page.trouble, []);
    await page.close();
  },

  async "the scrubber moves the animation, the cursors and the time"() {
    for (const name of ["line", "plane", "space", "box", "arm", "hinges"]) {
      const page = await open(`${name}/report.html`);
      const before = { picture: await picture_of(page, "#scene"), time: await page.textContent(".time") };
      await page.focus("#scrub");
      for (let i = 0; i < 3; ++i) await page.keyboard.press("PageUp");
      await frames(page);
      assert.ok((await picture_of(page, "#scene")) !== before.picture, `${name}: the picture stands still`);
      assert.notEqual(await page.textContent(".time"), before.time);
      const { time, last, cursor } = await page.evaluate(() => ({ time: asperity.clock.time, last: asperity.clock.last, cursor: asperity.plots[0].posToVal(asperity.plots[0].cursor.left, "x") / asperity.content.panels[0].x.factor }));
      assert.ok(time > 0.2 * last && time < 0.5 * last, `${name}: ${time} of ${last}`);
      close(cursor, time, 0.01 * last, `${name}: the cursor`);
      await page.keyboard.press("End");
      await frames(page);
      assert.equal(await page.evaluate(() => asperity.clock.time - asperity.clock.last), 0, `${name}: the end`);
      assert.deepEqual(page.trouble, [], name);
      await page.close();
    }
  },

  async "play runs and pause stops; a faster speed is faster"() {
    const page = await open("space/report.html");
    await page.selectOption("#speed", "0.1");
    await page.click("#play");
    await page.waitForFunction(() => asperity.clock.time > asperity.clock.first);
    await page.click("#play");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
    const paused = await page.evaluate(() => asperity.clock.time);
    await frames(page);
    assert.equal(await page.evaluate(() => asperity.clock.time), paused);
    await page.selectOption("#speed", "100");
    await page.click("#play");
    await page.waitForFunction(() => asperity.clock.time === asperity.clock.last);
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
    await page.close();
  },

  async "the animation plays by itself, unless the reader wants less motion"() {
    const moving = await open("space/report.html", { moving: true });
    await moving.locator("#scene").scrollIntoViewIfNeeded();
    await moving.waitForFunction(() => asperity.clock.time > asperity.clock.first);
    assert.equal(await moving.getAttribute("#play", "aria-label"), "Pause");
    await moving.close();
    const still = await open("space/report.html");
    assert.equal(await still.getAttribute("#play", "aria-label"), "Play");
    await still.close();
  },

  async "the head says what the bodies do, before everything else"() {
    const page = await open("box/report.html");
    const first = await page.evaluate(() => document.querySelector("h1").nextElementSibling.className);
    assert.equal(first, "motions");
    assert.match(await page.textContent(".motions"), /^box: (held|rests|bounces|moves|slides)/);
    assert.equal(await page.textContent(".motions"), await page.evaluate(() => asperity.content.motion_lines.join("")));
    await page.close();
    const grasps = await open("grasps/report.html");
    assert.deepEqual(await grasps.$$eval(".motions strong", (all) => all.map((one) => one.textContent)), ["held", "creeps"]);
    await grasps.close();
  },

  async "events that repeat are one line, and none is lost"() {
    const page = await open("line/report.html");
    const { lines, count, list } = await page.evaluate(() => ({ lines: asperity.content.event_lines, count: asperity.content.facts.events.count, list: asperity.content.facts.events.list.length }));
    assert.ok(count > 30 && lines.length < count / 4, `${lines.length} lines of ${count} events`);
    assert.equal(lines.reduce((sum, line) => sum + line.count, 0), count);
    assert.match(await page.textContent("#events"), /sticks and slips \d+ times between [\d.]+ and [\d.]+ s/);
    assert.equal(await page.locator('[aria-label="Single events"] tbody tr').count(), list);
    await page.close();
  },

  async "a prescribed body is seen, and bodies that touch do not overlap"() {
    // Pads are plates in the colour of their body: at the end of the run, without them the picture is another.
    const grasps = await open("grasps/report.html");
    const pads = await grasps.evaluate(() => {
      const { motion } = document.querySelector("#scene").scene;
      const draw = () => (asperity.clock.set_time(asperity.clock.last), document.querySelector("#scene").toDataURL());
      const shown = draw();
      const planes = motion.elements.map((e) => e.normal);
      motion.elements.forEach((e) => (e.normal = null));
      const without = draw();
      motion.elements.forEach((e, i) => (e.normal = planes[i]));
      return shown !== without;
    });
    assert.ok(pads, "the pads are not drawn");
    await grasps.close();
    // Masses in contact stand side by side: their distance is two half widths, less what they are pressed into each other.
    const page = await open("stack/report.html");
    const apart = await page.evaluate(() => {
      const { motion, view } = document.querySelector("#scene").scene;
      motion.at(asperity.clock.last);
      return motion.elements.filter((e) => e.gap && e.b).map((e) => Math.abs(motion.position(e.a)[0] - motion.position(e.b)[0]) / view.point_radius);
    });
    assert.equal(apart.length, 4);
    for (const distance of apart) close(distance, 2, 0.2, "half widths");
    await page.close();
  },

  async "a view in space turns by mouse and by keys"() {
    const page = await open("space/report.html");
    const first = await picture_of(page, "#scene");
    const box = await page.locator("#scene").boundingBox();
    await page.mouse.move(box.x + 300, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 420, box.y + 120, { steps: 3 });
    await page.mouse.up();
    const second = await picture_of(page, "#scene");
    assert.ok(second !== first, "the mouse");
    await page.focus("#scene");
    await page.keyboard.press("ArrowLeft");
    assert.ok((await picture_of(page, "#scene")) !== second, "the keys");
    await page.close();
  },

  async "the theme follows the system, and the reader"() {
    const page = await open("line/report.html", { dark: true });
    const look = () => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor, asperity.plots[0].ctx.canvas.toDataURL(), document.querySelector("#scene").toDataURL()]);
    const dark = await look();
    assert.equal(dark[0], "dark");
    await page.click("#theme");
    await frames(page);
    const light = await look();
    assert.equal(light[0], "light");
    light.forEach((part, i) => assert.ok(part !== dark[i], `part ${i} does not change`));
    await page.reload();
    await page.waitForFunction(() => window.asperity);
    assert.equal((await look())[0], "light", "it is remembered");
    await page.evaluate(() => localStorage.clear());
    await page.close();
  },

  async "dragging zooms every plot over time, a double click shows all"() {
    const page = await open("line/report.html");
    const all = await window_of(page);
    const place = page.locator("#plots .u-over").first();
    await place.scrollIntoViewIfNeeded();
    const box = await place.boundingBox();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await frames(page);
    const zoomed = await window_of(page);
    close(zoomed[0], 2, 0.1, "from");
    close(zoomed[1], 4, 0.1, "to");
    const scales = await page.evaluate(() => asperity.plots.filter((p) => !p.curve).map((p) => [p.scales.x.min, p.scales.x.max]));
    assert.ok(scales.length > 3);
    for (const scale of scales) assert.deepEqual(scale, scales[0]);
    close(scales[0][0], zoomed[0], 1e-9, "the plots");
    await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 50);
    await frames(page);
    assert.deepEqual(await window_of(page), all);
    await page.focus('[aria-label="Show less time"]');
    await page.keyboard.press("Enter");
    const [from, to] = await window_of(page);
    close(to - from, (all[1] - all[0]) / 2, 1e-9, "half the time");
    assert.deepEqual(page.trouble, []);
    await page.close();
  },

  async "names hide and show their curves"() {
    const page = await open("line/report.html");
    const button = page.locator("#plots .legend button").first();
    const before = await page.evaluate(() => asperity.plots[0].ctx.canvas.toDataURL());
    await button.press("Enter");
    await frames(page);
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    assert.equal(await page.evaluate(() => asperity.plots[0].series[1].show), false);
    assert.ok((await page.evaluate(() => asperity.plots[0].ctx.canvas.toDataURL())) !== before, "the curve is still there");
    await button.press("Enter");
    assert.equal(await page.evaluate(() => asperity.plots[0].series[1].show), true);
    await page.close();
  },

  async "a comparison lays dashed curves over solid ones and says what differs"() {
    const page = await open("compare/compare.html");
    const dashes = await page.evaluate(() => asperity.plots[0].series.slice(1).map((s) => Boolean(s.dash)));
    assert.deepEqual(dashes, [false, true]);
    const text = await page.textContent("#differences");
    assert.match(text, /block\.position/);
    assert.match(text, /Only single_state has floor\.slipping/);
    assert.match(await page.textContent("#settings"), /single_statelugre/);
    await page.close();
  },

  async "an identified law: one law is advised, described and drawn, and nothing is cut off"() {
    const page = await open("identify/report.html");
    const advised = (await page.textContent(".verdict")).match(/^Take (\w+):/)[1];
    assert.equal(await page.textContent("#taken h2"), advised);
    const { phases, over_time, scene, cut, heads, laws } = await page.evaluate(() => ({
      phases: asperity.content.phases.map((panel) => panel.y.columns.at(-1)),
      over_time: asperity.content.panels.map((panel) => panel.y.label),
      scene: document.querySelector("#scene-text pre").textContent,
      cut: [...document.querySelectorAll(".wide")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label")),
      heads: [...document.querySelectorAll("#laws th")].map((e) => e.textContent),
      laws: [...document.querySelectorAll("#laws tbody tr")].map((row) => row.textContent),
    }));
    assert.deepEqual(phases, [`friction ${advised}`, `friction ${advised}`, `residual ${advised}`, `residual ${advised}`]);
    assert.match(over_time[0], /^torque \[\S?N m\]$/);
    assert.match(over_time[1], /^residual \[\S?N m\]$/);
    assert.match(scene, new RegExp(`^# ${advised} as identified from measured\\.csv`));
    assert.deepEqual(cut, []);
    assert.deepEqual(heads, ["law", "unseen, rms [N m]", "fitted, rms [N m]", "simulated position, rms [rad]", "parameters", "states", "a sample [ns]"]);
    assert.equal(laws.length, 4);
    for (const law of laws) assert.match(law, /^\w+ ?[\d.]+ \([\d.]+ %\)[\d.]+ \([\d.]+ %\)/);
    assert.equal(await page.locator("#others details").count(), 3);
    assert.deepEqual(page.trouble, []);
    await page.close();
  },

  async "an identified law: friction is drawn without the inertia, and thinned data are points"() {
    const page = await open("heavy/report.html");
    const { columns, titles, points, rows } = await page.evaluate(() => ({
      columns: Object.fromEntries(JSON.parse(document.getElementById("tables").textContent)[0].map((c) => [c.name, c.values])),
      titles: asperity.content.phases.map((panel) => panel.title),
      points: asperity.plots.filter((plot) => plot.curve).map((plot) => plot.curve.points),
      rows: asperity.content.rows,
    }));
    // Friction of 2 N at most, and up to 2 N of inertia with it.
    const most = (name) => Math.max(...columns[name].map((v) => Math.abs(v)));
    close(most("friction measured"), 2, 0.04, "the friction");
    assert.ok(most("measured") > 2.8, `${most("measured")} N in all`);
    assert.match(titles[0], /^Friction over displacement, without the inertia of (20|19\.\d+) kg$/);
    assert.deepEqual(titles.slice(2), ["Residuals over displacement", "Residuals over velocity"]);
    assert.ok(rows.recorded > rows.shown, "nothing is thinned");
    assert.deepEqual(points, [true, true, true, true]);
    assert.match(await page.textContent("#phases"), /rows are drawn, as points/);
    assert.deepEqual(page.trouble, []);
    await page.close();
    const all = await open("identify/report.html");
    assert.deepEqual(await all.evaluate(() => asperity.plots.filter((plot) => plot.curve).map((plot) => plot.curve.points)), [false, false, true, true]);
    await all.close();
  },

  async "text stays text"() {
    const page = await open("hostile/report.html");
    assert.equal(await page.textContent("h1"), 'Too stiff </script><script>alert(1)</script> & <b>"bold"</b>');
    assert.equal(await page.textContent(".cite"), "<img src=x onerror=alert(2)>");
    assert.equal(await page.locator("h1 *, .cite *").count(), 0);
    assert.match(await page.textContent(".verdict"), /^Failed at 0\.\d+ s of 1 s: spring/);
    assert.deepEqual(page.trouble, []);
    await page.close();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
