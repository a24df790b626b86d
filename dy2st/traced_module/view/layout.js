// Where the boxes of one graph stand: in layers from top to bottom, each step below what it reads. Edges that pass layers
// get a place in each of them, so that they run between the boxes.
const GAP_X = 26, GAP_Y = 34;

function arranged(boxes, edges) {
  // boxes: [{w, h}], edges: [{from, to}] with from before to. Sets x, y of each box and points of each edge; gives {w, h}.
  const rank = boxes.map(() => 0);
  boxes.forEach((box, to) => {
    if (box.last && to > 0) rank[to] = Math.max(...rank.slice(0, to)) + 1;
    for (const edge of edges) if (edge.to === to) rank[to] = Math.max(rank[to], rank[edge.from] + 1);
  });
  const layers = [];
  const put = (item, at) => { (layers[at] ||= []).push(item); item.order = layers[at].length - 1; item.above = []; item.below = []; };
  const items = boxes.map((box, k) => ({ box, w: box.w, h: box.h }));
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
  for (const item of items) Object.assign(item.box, { x: item.x - item.w / 2, y: item.y });
  for (const edge of edges) edge.points = edge.chain.flatMap(pointsOf);
  const right = Math.max(...layers.flat().map(item => item.x + item.w / 2));
  return { w: right, h: y - GAP_Y };
}

function pointsOf(item, k, chain) {
  const top = [item.x, item.y], bottom = [item.x, item.y + item.h];
  if (k === 0) return [bottom];
  return k === chain.length - 1 ? [top] : [top, [item.x, item.y + item.height]];
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
    path += x0 === x1 ? `L${x1},${y1}` : `C${x0},${y0 + bend} ${x1},${y1 - bend} ${x1},${y1}`;
  }
  return path;
}
