// How steps are drawn: boxes with ports, rooms in them, edges between them.
const canvas = document.getElementById("canvas"), world = document.getElementById("world");
const LETTER = 7.25, HEAD = 40, PAD = 14, LONGEST = 46, SIGN = 20, LINE = 20;
let drawn = new Map();       // key -> {group, x, y, w, h} of each box on the page
let edges = [], size = { w: 1, h: 1 };

const svg = (name, attributes = {}, ...parts) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...parts);
  return made;
};
const cut = text => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
const width = (...texts) => Math.max(...texts.map(text => text.length)) * LETTER + 2 * PAD;
const details = value => [value.shape, value.dtype].filter(Boolean).join("  ");
const fileOf = loc => loc.slice(Math.max(loc.lastIndexOf("/"), loc.lastIndexOf("\\")) + 1);

function graphOf(number, prefix, isGroup = false) {
  // The boxes of a graph and the edges between them, arranged. What goes into a group and comes out of it is only named.
  const graph = data.graphs[number], boxes = [], ties = [], giver = new Map();
  const value = (item, kind) => {
    const lines = isGroup ? [cut(item.name), ""] : [cut(item.name), cut(details(item))];
    boxes.push({ kind: isGroup ? "border" : kind, lines, w: width(...lines), h: isGroup ? LINE : HEAD });
    giver.set(item.name, { box: boxes.length - 1, value: item });
  };
  const tie = name => {
    const from = giver.get(name);
    if (from) ties.push({ from: from.box, to: boxes.length - 1, name, value: from.value });
  };
  graph.inputs.forEach(item => value(item, "value"));
  graph.outside.forEach(item => value(item, "outside"));
  graph.steps.forEach((step, k) => {
    if (!byKey.has(`${prefix}/${k}`)) return;   // beyond MOST
    boxes.push(stepBox(step, `${prefix}/${k}`));
    new Set(step.ins).forEach(tie);
    step.outs.forEach(item => giver.set(item.name, { box: boxes.length - 1, value: item }));
  });
  if (graph.returns) {
    const text = cut(isGroup ? graph.returns : (prefix ? "gives " : "returns ") + graph.returns);
    boxes.push({ kind: isGroup ? "border" : "value", lines: [text, ""], w: width(text), h: isGroup ? LINE : 26, last: true });
    new Set(graph.results).forEach(tie);
  }
  const room = boxes.length ? arranged(boxes, ties) : { w: 60, h: 10 };
  return { boxes, ties, ...room };
}

function linesOf(step, found) {
  // What stands on a box: what it is, and what it gives, or where its condition stands.
  const first = step.outs[0], more = step.outs.length > 1 ? `  +${step.outs.length - 1}` : "";
  if (step.kind === "group") return [cut(step.title), cut(`${found.count} steps${step.note ? `  ${step.note}` : ""}`)];
  if (step.condition) return [cut(step.condition), step.loc ? cut(fileOf(step.loc)) : ""];
  const beside = step.attr && step.attr !== step.title ? step.attr : step.note;
  return [cut(beside ? `${step.title}  ${beside}` : step.title), first ? cut(`${first.name}  ${details(first)}${more}`) : ""];
}

function stepBox(step, key) {
  const lines = linesOf(step, byKey.get(key)), rooms = byKey.get(key).canOpen;
  const box = { kind: step.kind === "group" && step.at ? "layer" : step.kind, step, key, lines, h: HEAD, canOpen: rooms };
  box.w = width(...lines) + (rooms ? SIGN + 6 : 0);
  if (rooms && opened.has(key)) {
    box.rooms = step.parts.map(([label, part], p) => ({ label, ...graphOf(part, `${key}:${p}`, step.kind === "group") }));
    let x = PAD;
    for (const room of box.rooms) {
      room.x = x;
      room.full = Math.max(room.w, width(room.label)) + 2 * PAD;
      x += room.full + PAD;
    }
    box.w = Math.max(box.w, x);
    box.top = HEAD + (box.rooms.some(room => room.label) ? 2 * PAD : 0);
    box.h = box.top + Math.max(...box.rooms.map(room => room.h)) + (box.top > HEAD ? 2 : 1) * PAD;
  }
  return box;
}

function drawGraph(graph, x, y, left, top) {
  // left, top: where the group stands on the whole drawing.
  const group = svg("g", { transform: `translate(${x},${y})` });
  for (const tie of graph.ties) {
    const path = svg("path", { class: "edge", d: curve(tie.points), "marker-end": "url(#arrow)", "data-tip": tipOf(tie.value) });
    edges.push({ path, keys: [graph.boxes[tie.from].key, graph.boxes[tie.to].key] });
    group.append(path);
  }
  const values = new Map(graph.ties.map(tie => [tie.name, tie.value]));
  for (const box of graph.boxes) group.append(drawBox(box, values, left + box.x, top + box.y));
  return group;
}
const tipOf = value => [value.name, details(value)].filter(Boolean).join("\n");

function drawBox(box, values, left, top) {
  const names = ["step", box.kind, ...(box.rooms ? ["open"] : [])];
  const group = svg("g", { class: names.join(" "), transform: `translate(${box.x},${box.y})` });
  group.append(svg("rect", { width: box.w, height: box.h }));
  group.append(svg("text", { class: "title", x: PAD, y: box.kind !== "border" ? 17 : box.last ? 16 : 12 }, box.lines[0]), svg("text", { class: "dim", x: PAD, y: 32 }, box.lines[1]));
  if (box.step) {
    group.dataset.key = box.key;
    drawn.set(box.key, { group, x: left, y: top, w: box.w, h: box.h });
    if (box.canOpen) {
      const sign = svg("g", { class: "toggle", transform: `translate(${box.w - SIGN - 8},8)` });
      sign.append(svg("rect", { width: SIGN, height: SIGN }), svg("text", { x: SIGN / 2, y: 14.5 }, box.rooms ? "−" : "+"));
      group.append(sign);
    }
    for (const room of box.rooms || []) {
      const x = room.x + PAD + (room.full - 2 * PAD - room.w) / 2, y = box.top;
      if (room.label) group.append(svg("rect", { class: "room", x: room.x, y: HEAD, width: room.full, height: box.h - HEAD - PAD }));
      if (room.label) group.append(svg("text", { class: "dim", x: room.x + 8, y: HEAD + 15 }, room.label));
      group.append(drawGraph(room, x, y, left + x, top + y));
    }
  }
  for (const [ports, y] of [[box.ins, 0], [box.outs, box.h]]) {
    for (const port of ports) group.append(svg("circle", { class: "port", cx: port.x, cy: y, r: 3.5, "data-tip": tipOf(values.get(port.name)) }));
  }
  return group;
}

const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 11, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
  svg("path", { d: "M0,1 L7,4 L0,7", style: "fill: none; stroke: var(--edge); stroke-width: 1.4" }));
canvas.prepend(svg("defs", {}, arrow));

function draw() {
  drawn = new Map();
  edges = [];
  size = graphOf(0, "");
  world.replaceChildren(drawGraph(size, 0, 0, 0, 0));
  mark();
}

function mark() {
  // Which step is chosen, which ones were found, and which closed boxes hold some of these.
  const found = new Set(hits.map(one => one.key));
  const holding = new Set(hits.map(one => one.way.find(key => !opened.has(key))));
  for (const [key, { group }] of drawn) {
    group.classList.toggle("chosen", key === chosen);
    group.classList.toggle("hit", found.has(key));
    group.classList.toggle("holds", holding.has(key));
  }
  for (const { path, keys } of edges) path.classList.toggle("chosen", chosen !== null && keys.includes(chosen));
}
