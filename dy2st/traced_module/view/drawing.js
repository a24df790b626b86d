// The steps on the page, and how they are drawn.
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("canvas"), world = document.getElementById("world"), side = document.getElementById("side");
const LETTER = 7.25, HEAD = 40, PAD = 14;
const open = new Map();      // key of a step on the page -> whether its parts are shown
const places = new Map();    // key -> its box on the page
let view = { x: 0, y: 0, k: 1 }, chosen = null, hits = [], hit = -1;

// ---- every step, by its key: the numbers of the steps on the way to it ---------------------------------------------------

const all = [];              // {key, step, path, way: keys of what it is in}
function visit(number, prefix, path, way, inside) {
  data.graphs[number].steps.forEach((step, k) => {
    const key = `${prefix}/${k}`;
    const own = step.at ? step.at : step.attr ? (path ? `${path}.${step.attr}` : step.attr) : path;
    all.push({ key, step, path: own, way });
    step.parts.forEach(([label, part], p) => {
      if (!inside.includes(part)) visit(part, `${key}:${p}`, own, [...way, key], [...inside, part]);
    });
    open.set(key, step.kind === "control" && way.length < 3);
  });
}
visit(0, "", "", [], [0]);
const byKey = new Map(all.map(found => [found.key, found]));
document.getElementById("count").textContent = `${all.length} steps`;

// ---- drawing -------------------------------------------------------------------------------------------------------------

const svg = (name, attributes = {}, ...inner) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const part of inner) made.append(part);
  return made;
};
const width = (...texts) => Math.max(...texts.map(text => text.length)) * LETTER + 2 * PAD;
const details = value => [value.shape, value.dtype].filter(Boolean).join("  ");

function graphOf(number, prefix) {
  // The boxes of a graph and the edges between them, arranged.
  const graph = data.graphs[number], boxes = [], edges = [], giver = new Map();
  const value = (item, kind) => {
    boxes.push({ kind, lines: [item.name, details(item)], w: width(item.name, details(item)), h: HEAD });
    giver.set(item.name, { box: boxes.length - 1, value: item });
  };
  graph.inputs.forEach(item => value(item, "value"));
  graph.outside.forEach(item => value(item, "outside"));
  graph.steps.forEach((step, k) => {
    const box = stepBox(step, `${prefix}/${k}`);
    boxes.push(box);
    for (const name of new Set(step.ins)) tie(name);
    step.outs.forEach(item => giver.set(item.name, { box: boxes.length - 1, value: item }));
  });
  if (graph.returns) {
    const text = (prefix ? "gives " : "returns ") + graph.returns;
    boxes.push({ kind: "value", lines: [text, ""], w: width(text), h: 26, last: true });
    for (const name of new Set(graph.results)) tie(name);
  }
  function tie(name) {
    const from = giver.get(name);
    if (from) edges.push({ from: from.box, to: boxes.length - 1 });
  }
  const size = boxes.length ? arranged(boxes, edges) : { w: 60, h: 10 };
  return { boxes, edges, ...size };
}

function stepBox(step, key) {
  const first = step.outs[0], more = step.outs.length > 1 ? `  +${step.outs.length - 1}` : "";
  const name = step.attr && step.attr !== step.title ? `${step.title}  ${step.attr}` : step.title;
  const lines = [name, first ? `${first.name}  ${details(first)}${more}` : ""];
  const box = { kind: step.kind, step, key, lines, w: width(...lines) + (step.parts.length ? 22 : 0), h: HEAD };
  if (step.parts.length && open.get(key)) {
    box.rooms = step.parts.map(([label, part], p) => ({ label, ...graphOf(part, `${key}:${p}`) }));
    let x = PAD;
    for (const room of box.rooms) { room.x = x; x += Math.max(room.w, width(room.label)) + 3 * PAD; }
    box.w = Math.max(box.w, x);
    box.h = HEAD + Math.max(...box.rooms.map(room => room.h)) + 4 * PAD;
  }
  return box;
}

function drawGraph(graph, x, y) {
  const group = svg("g", { transform: `translate(${x},${y})` });
  for (const edge of graph.edges) {
    const keys = [graph.boxes[edge.from].key, graph.boxes[edge.to].key];
    const on = chosen && keys.includes(chosen) ? " chosen" : "";
    group.append(svg("path", { class: `edge${on}`, d: curve(edge.points), "marker-end": "url(#arrow)" }));
  }
  for (const box of graph.boxes) group.append(drawBox(box));
  return group;
}

function drawBox(box) {
  const names = ["step", box.kind];
  if (box.rooms) names.push("open");
  if (box.key && box.key === chosen) names.push("chosen");
  if (hits.some(found => found.key === box.key)) names.push("hit");
  const group = svg("g", { class: names.join(" "), transform: `translate(${box.x},${box.y})` });
  group.append(svg("rect", { width: box.w, height: box.h }));
  group.append(svg("text", { class: "title", x: PAD, y: 17 }, box.lines[0]), svg("text", { class: "dim", x: PAD, y: 32 }, box.lines[1]));
  if (!box.step) return group;
  group.dataset.key = box.key;
  if (box.step.parts.length) {
    const sign = svg("g", { class: "toggle", transform: `translate(${box.w - 26},9)` });
    sign.append(svg("rect", { width: 17, height: 17 }), svg("text", { x: 5, y: 13 }, box.rooms ? "−" : "+"));
    sign.addEventListener("click", event => { event.stopPropagation(); toggle(box.key); });
    group.append(sign);
  }
  for (const room of box.rooms || []) {
    const w = Math.max(room.w, width(room.label)) + 2 * PAD;
    group.append(svg("rect", { class: "room", x: room.x, y: HEAD, width: w, height: box.h - HEAD - PAD }));
    group.append(svg("text", { class: "dim", x: room.x + 8, y: HEAD + 15 }, room.label));
    group.append(drawGraph(room, room.x + PAD + (w - 2 * PAD - room.w) / 2, HEAD + 2 * PAD));
  }
  group.addEventListener("click", event => { event.stopPropagation(); choose(box.key); });
  group.addEventListener("dblclick", event => { event.stopPropagation(); if (box.step.parts.length) toggle(box.key); });
  return group;
}

const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
  svg("path", { d: "M0,1 L7,4 L0,7", style: "fill: none; stroke: var(--edge); stroke-width: 1.4" }));
canvas.prepend(svg("defs", {}, arrow));
let size = { w: 1, h: 1 };

function draw() {
  const graph = graphOf(0, "");
  size = graph;
  world.replaceChildren(drawGraph(graph, 0, 0));
}
const apply = () => world.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.k})`);

function fit() {
  const { width: w, height: h } = canvas.getBoundingClientRect();
  const across = (w - 60) / size.w, down = (h - 50) / size.h;
  const k = Math.min(1, Math.max(Math.min(across, down), Math.min(across, 0.75)));   // a long graph stays legible: its head is shown
  view = { k, x: (w - size.w * k) / 2, y: Math.max(25, (h - size.h * k) / 2) };
  apply();
}
