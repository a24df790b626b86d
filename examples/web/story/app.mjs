// The page: a text is written on, and shown as its tokens come.
import { loaded } from "./model.mjs";

const MOST = 160; // tokens of a page

const $ = (id) => document.getElementById(id);
let model;
let asked = 0; // which request is the latest; a stopped one isn't

// Writes on what is typed, until the page ends, is full, or another request comes.
export async function write() {
  const request = ++asked;
  const way = document.querySelector("[name=way]:checked").value;
  const start = model.encode($("start").value);
  const ids = [model.end, ...start];
  const began = performance.now();
  $("stop").disabled = false;
  show(ids, 0, 0);
  while (request === asked && ids.length - 1 - start.length < MOST) {
    const written = await model.next(way, ids);
    if (request !== asked) return ids;
    ids.push(...written);
    show(ids, ids.length - 1 - start.length, performance.now() - began);
    if (written.at(-1) === model.end) break;
  }
  $("stop").disabled = true;
  return ids;
}

function show(ids, count, took) {
  $("page").textContent = model.decode(ids);
  $("progress").value = count;
  const speed = count ? `, ${Math.round((1000 * count) / took)} a second` : "";
  const ended = count && ids.at(-1) === model.end ? ": the page ends here" : "";
  $("facts").textContent = `${count} of at most ${MOST} tokens${speed}${ended}`;
}

function stop() {
  asked++;
  $("stop").disabled = true;
}

async function main() {
  model = await loaded();
  $("source").textContent = model.source;
  $("write").disabled = false;
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    return write();
  });
  $("stop").addEventListener("click", stop);
  await write();
}

window.ready = main().catch((error) => {
  $("facts").textContent = `This browser can't run the model: ${error}`;
  throw error;
});
