// node story.mjs URL [PICTURE]: writes on in the page of examples/story.py in Chromium, and prints what it showed as JSON.
import { browsed } from "../onnx_models/web/browse.mjs";

const shown = (page) =>
  page.evaluate(() => ({
    text: document.querySelector("#page").textContent,
    facts: document.querySelector("#facts").textContent,
    progress: document.querySelector("#progress").value,
    tooWide: document.documentElement.scrollWidth > innerWidth,
  }));

async function played(browser, url, picture) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${url}/index.html`);
  await page.evaluate(() => window.ready);
  const opened = await shown(page);
  if (picture) await page.screenshot({ path: picture });
  await page.check("[value=likeliest]");
  await page.fill("#start", "Lists are § mutable");
  const ids = await page.evaluate(async () => (await import("./app.mjs")).write());
  const likeliest = { ...(await shown(page)), ids };
  await page.evaluate(async () => {
    document.querySelector("#write").click();
    while (!document.querySelector("#progress").value) await new Promise((resolve) => setTimeout(resolve));
    document.querySelector("#stop").click();
  });
  const stopped = await shown(page);
  await page.waitForTimeout(500);
  return { errors, opened, likeliest, stopped, later: await shown(page) };
}

process.stdout.write(JSON.stringify(await browsed((browser) => played(browser, process.argv[2], process.argv[3]))));
