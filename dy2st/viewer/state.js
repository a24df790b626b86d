// What is on the page: every step with its way in, which boxes are open, which step is chosen, what a search has found.
const data = JSON.parse(document.getElementById("data").textContent);
const MOST = 20000;          // steps of one page: functions that call each other may stand for very many
const OUTLINES = [60, 30, 15, 0];   // boxes that a page opens with, the first number that fits the window
const opened = new Set();    // keys of the steps whose rooms are shown
let chosen = null, hits = [], hit = -1;

// A key is the numbers of the steps on the way in, `/3:0/7`: the step 7 in the room 0 of the step 3. Step: {key, step, path, way}.
const all = [];
let counted = 0;             // steps that are no groups
function visit(number, prefix, path, way, inside) {
  data.graphs[number].steps.forEach((step, k) => {
    if (all.length >= MOST) return;
    const key = `${prefix}/${k}`;
    const own = step.at ? step.at : step.attr ? (path ? `${path}.${step.attr}` : step.attr) : path;
    const isRecursive = step.parts.some(([, part]) => inside.includes(part)), before = counted;
    const found = { key, step, path: own, way, canOpen: step.parts.length > 0 && !isRecursive };
    all.push(found);
    if (!isGroup(found)) counted++;
    if (found.canOpen) step.parts.forEach(([, part], p) => visit(part, `${key}:${p}`, own, [...way, key], [...inside, part]));
    found.count = counted - before;
  });
}
const isGroup = found => found.step.kind === "group";
visit(0, "", "", [], [0]);
const byKey = new Map(all.map(found => [found.key, found]));
const steps = all.filter(found => !isGroup(found));

function openLevels(most) {
  // Open level by level, as long as no more boxes than this are shown: all boxes of a level or none.
  opened.clear();
  let shown = all.filter(found => !found.way.length).length;
  for (let depth = 0; ; depth++) {
    const level = all.filter(found => found.way.length === depth && found.canOpen && found.way.every(key => opened.has(key)));
    const more = all.filter(found => found.way.length === depth + 1 && found.way.every((key, k) => k === depth || opened.has(key))).length;
    if (!level.length || shown + more > most) return;
    level.forEach(found => opened.add(found.key));
    shown += more;
  }
}

// What a search looks at, made when it is first asked for.
function said(found) {
  const { step, path } = found;
  const values = [...step.outs, ...(step.parameters || [])].map(value => `${value.name} ${value.shape} ${value.dtype}`);
  found.said ||= [step.title, step.note, step.condition, step.text, path, step.loc, step.owner, ...values].join("\n").toLowerCase();
  return found.said;
}

// The number of the graph in which a step stands.
function graphAround(key) {
  const rooms = [...key.matchAll(/\/(\d+):(\d+)/g)];
  return rooms.reduce((number, [, k, p]) => data.graphs[number].steps[k].parts[p][1], 0);
}

function giverOf(name, near) {
  // The step that gives a name, seen from a step: in its graph or in one around it; of a group, the step in it.
  let prefix = near.key.slice(0, near.key.lastIndexOf("/"));
  for (;;) {
    const found = giverIn(graphAround(`${prefix}/`), prefix, name);
    if (found || !prefix) return found;
    prefix = prefix.slice(0, prefix.lastIndexOf("/"));
  }
}

function giverIn(number, prefix, name) {
  const k = data.graphs[number].steps.findIndex(step => step.outs.some(out => out.name === name));
  const found = byKey.get(`${prefix}/${k}`);
  return found && isGroup(found) ? giverIn(found.step.parts[0][1], `${found.key}:0`, name) : found;
}
