// Opens pages as people do, and prints what was seen: node look.mjs PAGE... Each is {errors, ...} of one page.
import { browsed } from "../onnx_models/web/browse.mjs";

const SIZES = [[1440, 900], [1024, 768], [390, 844]];

async function looked(browser, address) {
  const errors = [], seen = { errors, sizes: {} };
  for (const [width, height] of SIZES) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await (await browser.newContext({ viewport: { width, height }, colorScheme })).newPage();
      page.on("console", message => errors.push(message.text()));
      page.on("pageerror", error => errors.push(error.message));
      await page.goto(address);
      seen.sizes[`${width} ${colorScheme}`] = await page.evaluate(sizes);
      if (width === 1440 && colorScheme === "light") Object.assign(seen, await used(page));
      if (width === 390) Object.assign(seen, await touched(page));
      await page.close();
    }
  }
  return seen;
}

function sizes() {
  const root = document.documentElement;
  return { wide: root.scrollWidth, window: root.clientWidth, boxes: document.querySelectorAll("[data-key]").length,
    ground: getComputedStyle(document.body).backgroundColor,
    loaded: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd };
}

async function used(page) {
  // Keys and the mouse, on a large window.
  const count = () => page.evaluate(() => document.querySelectorAll("[data-key]").length);
  const told = () => page.textContent("#told h2");
  const seen = {};
  await page.keyboard.press("ArrowDown");
  seen.first = await told();
  await page.keyboard.press("ArrowDown");
  seen.second = await told();
  await page.keyboard.press("Escape");
  seen.escaped = await told();
  const before = await count();
  await page.keyboard.press("/");
  await page.keyboard.type("tanh");
  seen.found = await page.textContent("#count");
  seen.opened = await count() - before;
  await page.keyboard.press("Enter");
  seen.shown = await told();
  seen.chosen = await page.evaluate(() => document.querySelector(".step.chosen .title")?.textContent);
  await page.keyboard.press("Escape");
  seen.all = await page.evaluate(() => [1, 2, 3].map(() => {
    const start = performance.now();
    document.getElementById("expand").click();
    document.getElementById("canvas").getBoundingClientRect();
    return performance.now() - start;
  }));
  seen.boxes = await count();
  await page.keyboard.press("0");
  await page.locator(".port").first().hover({ force: true });
  seen.tip = await page.textContent("#tip");
  await page.click("#collapse");
  seen.outline = await count();
  return seen;
}

async function touched(page) {
  // On a phone, what is told comes up from below.
  const top = () => page.evaluate(() => document.getElementById("side").getBoundingClientRect().top);
  const seen = { folded: await top() };
  await page.locator("[data-key] > .title").first().click();
  seen.up = await top();
  await page.click("#sheet");
  seen.down = await top();
  return seen;
}

process.stdout.write(JSON.stringify(await browsed(async browser => {
  const found = [];
  for (const address of process.argv.slice(2)) found.push(await looked(browser, address));
  return found;
})));
