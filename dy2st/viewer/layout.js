// Where the boxes of one graph stand: in layers from top to bottom, each step below what it reads. Edges that pass layers
// get a place in each of them, so that they run between the boxes. An edge begins and ends at a port of its name.
const GAP_X = 26, GAP_Y = 34, PORT = 16;

function arranged(boxes, edges) {
  // boxes: [{w, h}], edges: [{from, to, name}] with from before to. Sets x, y, ports of each box and points of each edge; gives {w, h}.
  const rank = boxes.map(() => 0), into = boxes.map(() => []);
  for (const edge of edges) into[edge.to].push(edge.from);
  let deepest = 0;
  boxes.forEach((box, to) => {
    rank[to] = box.last && to > 0 ? deepest + 1 : Math.max(0, ...into[to].map(from => rank[from] + 1));
    deepest = Math.max(deepest, rank[to]);
  });
  boxes.forEach((box, from) => {   // what reads nothing stands right above its first reader
    const readers = edges.filter(edge => edge.from === from).map(edge => rank[edge.to]);
    if (box.step && !into[from].length && readers.length) rank[from] = Math.min(...readers) - 1;
  });
  const layers = [];
  const put = (item, at) => { (layers[at] ||= []).push(item); item.order = layers[at].length - 1; item.above = []; item.below = []; };
  const items = boxes.map(box => ({ box, w: box.w, h: box.h }));
  items.forEach((item, k) => put(item, rank[k]));
  for (const edge of edges) {
    edge.chain = [items[edge.from]];
    for (let at = rank[edge.from] + 1; at < rank[edge.to]; at++) {
      const bend = { w: 10, h: 0 };
      put(bend, at);
      edge.chain.push(bend);
    }
    edge.chain.push(items[edge.to]);
    for (let k = 1; k < edge.chain.length; k++) {
      edge.chain[k - 1].below.push(edge.chain[k]);
      edge.chain[k].above.push(edge.chain[k - 1]);
    }
  }
  const middle = list => list.reduce((sum, item) => sum + item.order, 0) / list.length;
  for (let sweep = 0; sweep < 6; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const near = item => (down ? item.above : item.below);
      layer.forEach(item => { item.wish = near(item).length ? middle(near(item)) : item.order; });
      layer.sort((a, b) => a.wish - b.wish);
      layer.forEach((item, k) => { item.order = k; });
    }
  }
  spread(layers);
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map(item => item.h));
    layer.forEach(item => { item.y = y; item.height = height; });
    y += height + GAP_Y;
  }
  for (const item of items) Object.assign(item.box, { x: item.x - item.w / 2, y: item.y, ins: [], outs: [] });
  placePorts(boxes, edges);
  for (const edge of edges) edge.points = edge.chain.flatMap((item, k) => pointsOf(item, k, edge));
  const right = Math.max(...layers.flat().map(item => item.x + item.w / 2));
  return { w: right, h: y - GAP_Y };
}

function placePorts(boxes, edges) {
  // A port for each name that a box reads, in the order in which they arrive, and for each that it gives and others read.
  for (const edge of edges) {
    const give = boxes[edge.from].outs, take = boxes[edge.to].ins;
    const end = edge.chain.length - 1;
    if (!give.some(port => port.name === edge.name)) give.push({ name: edge.name, x: edge.chain[1].x });
    if (!take.some(port => port.name === edge.name)) take.push({ name: edge.name, x: edge.chain[end - 1].x });
  }
  for (const box of boxes) {
    for (const ports of [box.ins, box.outs]) {
      ports.sort((a, b) => a.x - b.x);
      const gap = Math.min(PORT, (box.w - 16) / ports.length);
      ports.forEach((port, k) => { port.x = box.w / 2 + (k - (ports.length - 1) / 2) * gap; });
    }
  }
}

function pointsOf(item, k, edge) {
  const port = ports => item.box.x + ports.find(other => other.name === edge.name).x;
  if (k === 0) return [[port(item.box.outs), item.y + item.h]];
  return k === edge.chain.length - 1 ? [[port(item.box.ins), item.y]] : [[item.x, item.y], [item.x, item.y + item.height]];
}

function spread(layers) {
  // Each item near the middle of what it is tied to, none on top of another.
  for (const layer of layers) {
    let x = 0;
    for (const item of layer) { item.x = x + item.w / 2; x += item.w + GAP_X; }
  }
  for (let turn = 0; turn < 10; turn++) {
    for (const layer of turn % 2 ? [...layers].reverse() : layers) {
      const wish = layer.map(item => {
        const near = turn % 2 ? item.below : item.above;
        const tied = near.length ? near : [...item.above, ...item.below];
        return tied.length ? tied.reduce((sum, other) => sum + other.x, 0) / tied.length : item.x;
      });
      const left = [], right = [];
      layer.forEach((item, k) => {
        const before = layer[k - 1];
        left[k] = before ? Math.max(wish[k], left[k - 1] + (before.w + item.w) / 2 + GAP_X) : wish[k];
      });
      for (let k = layer.length - 1; k >= 0; k--) {
        const after = layer[k + 1];
        right[k] = after ? Math.min(wish[k], right[k + 1] - (after.w + layer[k].w) / 2 - GAP_X) : wish[k];
      }
      layer.forEach((item, k) => { item.x = (left[k] + right[k]) / 2; });
    }
  }
  const least = Math.min(...layers.flat().map(item => item.x - item.w / 2));
  for (const item of layers.flat()) item.x -= least;
}

function curve(points) {
  let path = `M${points[0][0]},${points[0][1]}`;
  for (let k = 1; k < points.length; k++) {
    const [x0, y0] = points[k - 1], [x1, y1] = points[k], bend = (y1 - y0) / 2;
    path += Math.abs(x0 - x1) < 0.5 ? `L${x1},${y1}` : `C${x0},${y0 + bend} ${x1},${y1 - bend} ${x1},${y1}`;
  }
  return path;
}
