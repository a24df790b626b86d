// node web.mjs URL: plays with the page of examples/web in Chromium, and prints what it showed as JSON.
import { browsed } from "../onnx_models/web/browse.mjs";

async function shown(page) {
  const texts = await page.evaluate(() => ({
    address: location.hash,
    name: document.querySelector("#name").textContent,
    facts: document.querySelector("#facts").textContent,
    turn: document.querySelector("#turn-words").textContent,
    notes: [...document.querySelectorAll(".note")].map((note) => note.textContent),
    plates: document.querySelectorAll(".plate").length,
    tooWide: document.documentElement.scrollWidth > innerWidth,
  }));
  const nest = await page.evaluate(async () => (await import("./app.mjs")).nest.map((name) => ({ ...name, dice: [...name.dice], odds: name.odds.length })));
  return { ...texts, nest };
}

// What the page shows once its address is another than `before`.
async function changed(page, before) {
  await page.waitForFunction((address) => location.hash !== address, before.address);
  return shown(page);
}

async function played(browser, url) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${url}/index.html#anna/0.7/7`);
  await page.evaluate(() => window.ready);
  const opened = await shown(page);
  await page.fill("#start", "");
  const empty = await changed(page, opened);
  await page.fill("#start", "Zoë!");
  const typed = await changed(page, empty);
  await page.focus("#name button");
  await page.keyboard.press("ArrowRight");
  const stepped = await shown(page);
  await page.press("#start", "Enter");
  const rolled = await changed(page, stepped);
  return { errors, opened, empty, typed, stepped, rolled };
}

process.stdout.write(JSON.stringify(await browsed((browser) => played(browser, process.argv[2]))));
