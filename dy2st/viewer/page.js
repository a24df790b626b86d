// What the user does.
const searching = document.getElementById("search");

function toggle(key) {
  if (!byKey.get(key).canOpen) return;
  const before = drawn.get(key);
  if (!opened.delete(key)) opened.add(key);
  draw();
  const after = drawn.get(key);
  view.x += (before.x - after.x) * view.k;
  view.y += (before.y - after.y) * view.k;
  apply();
}

function show(key) {
  // Open what a step is in, and bring it to the middle.
  const found = byKey.get(key), closed = found.way.filter(outer => !opened.has(outer));
  closed.forEach(outer => opened.add(outer));
  if (closed.length) draw();
  choose(key);
  center(key);
}

function choose(key) {
  chosen = key;
  mark();
  tell(byKey.get(key));
  setSheet(true);
}

function clear() {
  // Back by one: the tip, the search, the chosen step.
  if (searching.value) { searching.value = ""; search(""); } else if (chosen !== null) { chosen = null; mark(); start(); }
  setSheet(false);
  canvas.focus();
}

function nextHit(by) {
  if (!hits.length) return;
  hit = (hit + by + hits.length) % hits.length;
  show(hits[hit].key);
}

searching.addEventListener("input", () => { search(searching.value); setSheet(Boolean(searching.value)); });
searching.addEventListener("keydown", event => {
  if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
  if (event.key === "ArrowDown") { event.preventDefault(); nextHit(1); }
  if (event.key === "ArrowUp") { event.preventDefault(); nextHit(-1); }
});

canvas.addEventListener("click", event => {
  const box = event.target.closest("[data-key]");
  if (moved > STILL || !box) return;
  if (event.target.closest(".toggle")) toggle(box.dataset.key);
  else { choose(box.dataset.key); bring(box.dataset.key); }
});
canvas.addEventListener("dblclick", event => {
  const box = event.target.closest("[data-key]");
  if (box && !event.target.closest(".toggle")) toggle(box.dataset.key);
});

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ZOOMS = { "+": 1.25, "=": 1.25, "-": 0.8 };
document.addEventListener("keydown", event => {
  if (event.key === "Escape") { clear(); return; }
  if (event.target === searching || event.ctrlKey || event.metaKey || event.altKey) return;
  const frame = canvas.getBoundingClientRect();
  if (event.key === "/") searching.select();
  else if (event.key in ZOOMS) zoom(ZOOMS[event.key], frame.width / 2, frame.height / 2);
  else if (event.key === "0") fit();
  else if (event.key === "Enter" && event.target === canvas && chosen) toggle(chosen);
  else if (event.key in WAYS && !event.target.closest("#side")) step(WAYS[event.key]);
  else return;
  event.preventDefault();
});

function step([dx, dy]) {
  const to = drawn.has(chosen) ? neighbour(dx, dy) : drawn.keys().next().value;
  if (!to) return;
  choose(to);
  bring(to);
}

const outline = most => { openLevels(most); draw(); fit(); };
document.getElementById("expand").addEventListener("click", () => outline(MOST));
document.getElementById("collapse").addEventListener("click", () => outline(0));
document.getElementById("fit").addEventListener("click", fit);
sheet.addEventListener("click", () => setSheet(!side.classList.contains("up")));
let across = window.innerWidth;   // a phone's keyboard changes the height alone
window.addEventListener("resize", () => {
  if (window.innerWidth !== across) fit();
  across = window.innerWidth;
});

for (const most of OUTLINES) {
  outline(most);
  if (isLegible()) break;
}
search("");
if (!isFramed) canvas.focus();
const wanted = new URLSearchParams(location.hash.slice(1));   // #search=relu, #show=name, #open=all
if (wanted.get("open") === "all") outline(MOST);
if (wanted.get("search")) { searching.value = wanted.get("search"); search(searching.value); setSheet(true); }
const shown = wanted.get("show") && steps.find(found => found.step.outs.some(out => out.name === wanted.get("show")));
if (shown) show(shown.key);
