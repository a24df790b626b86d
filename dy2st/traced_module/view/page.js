// ---- what the user does ----------------------------------------------------------------------------------------------------

function toggle(key) {
  const before = boxOnPage(key);
  open.set(key, !open.get(key));
  draw();
  const after = boxOnPage(key);
  if (before && after) { view.x += before.left - after.left; view.y += before.top - after.top; apply(); }
}

function boxOnPage(key) {
  const found = world.querySelector(`[data-key="${CSS.escape(key)}"] > rect`);
  return found && found.getBoundingClientRect();
}

function show(key) {
  // Open what a step is in, and bring it to the middle.
  byKey.get(key).way.forEach(outer => open.set(outer, true));
  choose(key);
  const box = boxOnPage(key), frame = canvas.getBoundingClientRect();
  if (view.k < 0.8) { view.k = 0.8; apply(); }
  const now = boxOnPage(key) || box;
  view.x += frame.left + frame.width / 2 - (now.left + now.width / 2);
  view.y += frame.top + frame.height / 3 - now.top;
  apply();
}

function choose(key) {
  chosen = key;
  draw();
  tell(byKey.get(key));
}

document.getElementById("search").addEventListener("input", event => search(event.target.value));
document.getElementById("search").addEventListener("keydown", event => {
  if (event.key === "Enter" && hits.length) { hit = (hit + (event.shiftKey ? -1 : 1) + hits.length) % hits.length; show(hits[hit].key); }
});
const setAll = value => { for (const found of all) open.set(found.key, value); draw(); fit(); };
document.getElementById("expand").addEventListener("click", () => setAll(true));
document.getElementById("collapse").addEventListener("click", () => setAll(false));
document.getElementById("fit").addEventListener("click", fit);
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
  const k = Math.max(0.08, Math.min(3, view.k * Math.exp(-event.deltaY * 0.0015)));
  view = { k, x: x - (x - view.x) * k / view.k, y: y - (y - view.y) * k / view.k };
  apply();
}, { passive: false });
let drag = null;
canvas.addEventListener("pointerdown", event => { drag = { x: event.clientX - view.x, y: event.clientY - view.y }; });
window.addEventListener("pointermove", event => {
  if (!drag) return;
  canvas.classList.add("drag");
  view.x = event.clientX - drag.x;
  view.y = event.clientY - drag.y;
  apply();
});
window.addEventListener("pointerup", () => { drag = null; canvas.classList.remove("drag"); });
window.addEventListener("resize", fit);

draw();
start();
fit();
const wanted = new URLSearchParams(location.hash.slice(1));   // #search=relu, #show=name, #open=all
if (wanted.get("open") === "all") setAll(true);
if (wanted.get("search")) { document.getElementById("search").value = wanted.get("search"); search(wanted.get("search")); }
const shown = wanted.get("show") && all.find(found => found.step.outs.some(out => out.name === wanted.get("show")));
if (shown) show(shown.key);
