// The side of the page: what is told of a step, and what a search has found.
const element = (name, text, classes = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = classes;
  return made;
};

function section(title, ...inner) { if (inner.length) side.append(element("h3", title), ...inner); }

function rows(values, linked) {
  const table = element("table", "");
  for (const value of values) {
    const line = element("tr", ""), name = element("td", "");
    name.append(linked ? linkTo(value.name) : element("b", value.name));
    line.append(name, element("td", value.shape || ""), element("td", value.dtype || "", "dim"));
    table.append(line);
  }
  return table;
}

function giverOf(name, near) {
  // The step that gives a name, from the point of view of a step: in its graph or in one around it.
  const prefix = found => found.key.slice(0, found.key.lastIndexOf("/"));
  const scopes = [prefix(near), ...[...near.way].reverse().map(key => prefix(byKey.get(key)))];
  for (const scope of scopes) {
    const found = all.find(other => prefix(other) === scope && other.step.outs.some(out => out.name === name));
    if (found) return found;
  }
  return null;
}

function linkTo(name) {
  const from = chosen && giverOf(name, byKey.get(chosen));
  const link = element(from ? "a" : "span", name);
  if (from) link.addEventListener("click", () => show(from.key));
  return link;
}

function tell({ step, path, key }) {
  side.replaceChildren(element("h2", step.attr ? `${step.title}  ${step.attr}` : step.title), element("pre", step.text));
  if (step.outs.length) section("Gives", rows(step.outs, false));
  if (step.ins.length) section("Reads", rows([...new Set(step.ins)].map(name => valueOf(name, byKey.get(key))), true));
  section("Module path", element("pre", path || "(the model itself)"));
  if (step.owner) section("Layer", element("pre", step.owner));
  if (step.loc) section("Source", element("pre", step.source ? `${step.loc}\n${step.source}` : step.loc));
}

function valueOf(name, near) {
  const from = giverOf(name, near);
  const given = from ? from.step.outs : data.graphs.flatMap(graph => [...graph.inputs, ...graph.outside]);
  return given.find(value => value.name === name) || { name };
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const about = ({ step, path }) => JSON.stringify([step.title, step.text, step.outs, path, step.loc, step.owner]).toLowerCase();
  hits = words.length ? all.filter(found => { const said = about(found); return words.every(word => said.includes(word)); }) : [];
  hit = -1;
  document.getElementById("count").textContent = words.length ? `${hits.length} of ${all.length} steps` : `${all.length} steps`;
  draw();
  if (words.length) listHits(); else start();
}

function listHits() {
  side.replaceChildren(element("h2", `${hits.length} found`));
  hits.slice(0, 300).forEach((found, k) => {
    const line = element("a", "", k === hit ? "hit now" : "hit");
    const out = found.step.outs[0];
    line.append(element("b", `${found.step.title} `), element("span", out ? out.name : ""), document.createElement("br"));
    line.append(element("small", [found.path, out && details(out)].filter(Boolean).join(" · ")));
    line.addEventListener("click", () => { hit = k; show(found.key); });
    side.append(line);
  });
}

function start() {
  side.replaceChildren(element("h2", data.title), element("p", "Click a step for its details, double-click or + to look inside, drag and wheel to move. "
    + "Blue steps are layers, yellow ones control flow; dashed green values come from around a block.", "dim"));
  section("Takes", rows(data.graphs[0].inputs, false));
  section("Returns", element("pre", data.graphs[0].returns));
}
