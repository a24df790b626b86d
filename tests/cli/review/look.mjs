// What a review's page shows, as a reader sees it: node look.mjs FILE prints JSON.
import { pathToFileURL } from "node:url";

import { browsed } from "../../onnx_models/web/browse.mjs";

const SIZES = { wide: [1440, 900], middle: [1024, 768], phone: [390, 844] };
const marked = () => [...document.querySelectorAll(".row.on .text")].map((one) => one.textContent);
const columns = () => [...document.querySelectorAll(".column")].filter((one) => one.offsetParent !== null).map((one) => one.id);

async function look(browser, file, [width, height], colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => errors.push(dialog.message()));
  await page.goto(pathToFileURL(file).href);
  const found = { columns: await page.evaluate(columns), title: await page.title() };
  found.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  found.ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.keyboard.press("n");
  found.decision = [await page.textContent("#told"), await page.evaluate(marked)];
  await page.keyboard.press("j");
  found.next = await page.textContent(".row.at .text");
  await page.keyboard.press("k");
  found.back = await page.textContent(".row.at .text");
  if (found.columns.length === 3) {
    await page.hover("#third .row.linked >> nth=0");
    found.hovered = await page.evaluate(marked);
    await page.mouse.move(0, 0);
    found.after = await page.evaluate(marked);
  }
  await page.keyboard.press("s");
  found.engine = await page.textContent("#third .row .text");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  found.tab = await page.evaluate(columns);
  found.source = await page.evaluate(() => [...document.querySelectorAll("#source .row .text")].map((one) => one.textContent));
  found.fates = await page.evaluate(() => [...document.querySelectorAll(".fate")].map((one) => one.textContent));
  await page.close();
  return { ...found, errors };
}

process.stdout.write(JSON.stringify(await browsed(async (browser) => {
  const found = {};
  for (const [name, size] of Object.entries(SIZES)) found[name] = await look(browser, process.argv[2], size, name === "middle" ? "dark" : "light");
  return found;
})));
