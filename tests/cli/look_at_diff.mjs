// What the page of a comparison shows on a phone: node look_at_diff.mjs FILE prints JSON.
import { pathToFileURL } from "node:url";

import { browsed } from "../onnx_models/web/browse.mjs";

process.stdout.write(JSON.stringify(await browsed(async (browser) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => errors.push(dialog.message()));
  await page.goto(pathToFileURL(process.argv[2]).href);
  return page.evaluate((errors) => ({
    errors,
    title: document.title,
    weight: document.querySelector("td").textContent,
    bar: document.querySelector(".bar").offsetWidth,
    hidden: [...document.querySelectorAll("section")].filter((one) => one.hidden).map((one) => one.id),
    overflow: document.documentElement.scrollWidth - innerWidth,
  }), errors);
})));
