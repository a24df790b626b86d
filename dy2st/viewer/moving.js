// Moving over the drawing: dragging, wheel, two fingers, and from step to step by keys.
let view = { x: 0, y: 0, k: 1 };
const LEAST = 0.08, LEGIBLE = 0.6, MOST_ZOOM = 3, STILL = 5;

const apply = () => world.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.k})`);

function zoom(factor, x, y) {
  const k = Math.max(LEAST, Math.min(MOST_ZOOM, view.k * factor));
  view = { k, x: x - (x - view.x) * k / view.k, y: y - (y - view.y) * k / view.k };
  apply();
}

function frameOf() {
  // The part of the drawing that no sheet covers.
  const frame = canvas.getBoundingClientRect(), cover = side.getBoundingClientRect();
  return { width: frame.width, height: cover.left > frame.left ? frame.height : cover.top - frame.top };
}

function fit() {
  const { width: w, height: h } = canvas.getBoundingClientRect();
  const margin = Math.min(60, w * 0.06), across = (w - margin) / size.w, down = (h - 50) / size.h;
  const k = Math.min(1, Math.max(Math.min(across, down), Math.min(across, 0.75), LEGIBLE));   // of a large graph, the head is shown
  view = { k, x: (w - size.w * k) / 2, y: Math.max(25, (h - size.h * k) / 2) };
  apply();
}

// Whether the whole width can be seen with words that can be read.
const isLegible = () => size.w * LEGIBLE <= canvas.getBoundingClientRect().width;

function bring(key) {
  // Move the drawing so that a step can be seen, as little as is needed.
  const box = drawn.get(key), frame = frameOf(), edge = Math.min(40, frame.width / 40);
  const height = Math.min(box.h * view.k, frame.height / 2), width = Math.min(box.w * view.k, frame.width - 2 * edge);
  const x = view.x + box.x * view.k, y = view.y + box.y * view.k;
  view.x += Math.max(0, edge - x) - Math.max(0, x + width - (frame.width - edge));
  view.y += Math.max(0, edge - y) - Math.max(0, y + height - (frame.height - edge));
  apply();
}

function center(key) {
  const box = drawn.get(key), frame = frameOf();
  view.k = Math.max(view.k, 0.8);
  view.x = frame.width / 2 - (box.x + box.w / 2) * view.k;
  view.y = frame.height / 3 - box.y * view.k;
  apply();
}

function neighbour(dx, dy) {
  // The nearest box in a direction; to the side counts twice.
  const at = drawn.get(chosen), head = box => [box.x + box.w / 2, box.y];
  const [x, y] = head(at);
  let best = null, least = Infinity;
  for (const [key, box] of drawn) {
    const [bx, by] = head(box), ahead = (bx - x) * dx + (by - y) * dy, aside = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
    if (key === chosen || ahead <= 1 || dx && aside > 4 * HEAD) continue;
    if (ahead + 2 * aside < least) { least = ahead + 2 * aside; best = key; }
  }
  return best;
}

// ---- pointers: one drags, two zoom ------------------------------------------------------------------------------------------

const down = new Map();      // id -> {x, y} of each finger or button that is down
let moved = 0;
const spanOf = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);

canvas.addEventListener("pointerdown", event => {
  down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (down.size === 1) moved = 0;
});
window.addEventListener("pointermove", event => {
  const before = down.get(event.pointerId);
  if (!before) return;
  const now = { x: event.clientX, y: event.clientY }, span = down.size === 2 && spanOf([...down.values()]);
  moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
  canvas.classList.add("drag");
  view.x += (now.x - before.x) / down.size;
  view.y += (now.y - before.y) / down.size;
  down.set(event.pointerId, now);
  const frame = canvas.getBoundingClientRect(), [a, b] = [...down.values()];
  if (span) zoom(spanOf([a, b]) / span, (a.x + b.x) / 2 - frame.left, (a.y + b.y) / 2 - frame.top);
  else apply();
});
const release = event => { down.delete(event.pointerId); if (!down.size) canvas.classList.remove("drag"); };
window.addEventListener("pointerup", release);
window.addEventListener("pointercancel", release);
// In a notebook the wheel scrolls past a page that nobody has clicked.
const isFramed = window.parent !== window;
canvas.addEventListener("wheel", event => {
  if (isFramed && document.activeElement !== canvas) return;
  event.preventDefault();
  const frame = canvas.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });

// ---- what a port or an edge carries -----------------------------------------------------------------------------------------

const tip = document.getElementById("tip");
canvas.addEventListener("pointerover", event => {
  const text = event.target.dataset && event.target.dataset.tip;
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = `${Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8)}px`;
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
