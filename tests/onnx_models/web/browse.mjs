// Headless Chromium: `browsed(work)` gives `work` a browser, and closes it. node browse.mjs URL prints what the page answers.
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const FLAGS = ["--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export async function browsed(work) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS, chromiumSandbox: false });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

async function answers(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  return page.evaluate(() => window.finished);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(await browsed((browser) => answers(browser, process.argv[2])));
}
