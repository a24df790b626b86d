// The side of the page: what is told of a step, and what a search has found. On a narrow window it is a sheet from below.
const side = document.getElementById("side"), told = document.getElementById("told"), sheet = document.getElementById("sheet");
const SHOWN = 300;           // of what was found

const element = (name, text, classes = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = classes;
  return made;
};

function dotted(made) {
  // The same element, whose text may be broken after a dot.
  const parts = made.textContent.split(/(?<=\.)/);
  made.replaceChildren(...parts.flatMap(part => [part, document.createElement("wbr")]));
  return made;
}

function tellAll(title, ...parts) {
  told.replaceChildren(element("h2", title), ...parts.flat());
  told.scrollTop = 0;
  sheet.textContent = title;
}

function setSheet(isUp) {
  side.classList.toggle("up", isUp);
  sheet.setAttribute("aria-expanded", isUp);
}

const section = (title, ...inside) => (inside.length ? [element("h3", title), ...inside] : []);

function rows(values, near) {
  // near: the step that reads the values, whose givers are linked; null where they come from nowhere.
  const table = element("table", "");
  for (const value of values) {
    const line = element("tr", ""), name = element("td", ""), from = near && giverOf(value.name, near);
    name.append(dotted(from ? stepLink(value.name, from) : element("b", value.name)));
    line.append(name, element("td", value.shape || ""), element("td", value.dtype || "", "dim"));
    table.append(line);
  }
  return table;
}

function stepLink(text, to, classes = "") {
  const link = element("a", text, classes);
  link.href = "#";
  link.addEventListener("click", event => { event.preventDefault(); show(to.key); });
  return link;
}

function tell(found) {
  const { step, path } = found, parts = [];
  if (step.text) parts.push(element("pre", step.text));
  if (step.kind === "group") parts.push(element("p", `${found.count} steps${step.note ? `, ${step.note}` : ""}`, "dim"));
  if (step.outs.length) parts.push(...section("Gives", rows(step.outs, null)));
  if (step.ins.length) parts.push(...section("Reads", rows([...new Set(step.ins)].map(name => valueOf(name, found)), found)));
  if ((step.parameters || []).length) parts.push(...section("Parameters", rows(step.parameters, null)));
  if (path) parts.push(...section("Module path", element("pre", path)));
  if (step.owner) parts.push(...section("Layer", element("pre", step.owner)));
  if (step.loc) parts.push(...section("Source", element("pre", step.source ? `${step.loc}\n${step.source}` : step.loc)));
  tellAll(step.condition ? step.condition : step.attr ? `${step.title}  ${step.attr}` : step.title, parts);
}

function valueOf(name, near) {
  const from = giverOf(name, near);
  const given = from ? from.step.outs : data.graphs.flatMap(graph => [...graph.inputs, ...graph.outside]);
  return given.find(value => value.name === name) || { name };
}

function valueAtTop(name) {
  const top = data.graphs[0];
  return [...top.inputs, ...top.steps.flatMap(step => step.outs)].find(value => value.name === name);
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  hits = words.length ? steps.filter(found => words.every(word => said(found).includes(word))) : [];
  hit = -1;
  const count = steps.length.toLocaleString("en");
  document.getElementById("count").textContent = words.length ? `${hits.length} of ${count} steps` : `${count} steps`;
  mark();
  if (words.length) listHits(); else start();
}

function listHits() {
  const lines = hits.slice(0, SHOWN).map((found, k) => {
    const line = stepLink("", found, k === hit ? "hit now" : "hit"), out = found.step.outs[0];
    line.append(element("b", `${found.step.condition || found.step.title} `), element("span", out ? out.name : ""), document.createElement("br"));
    line.append(element("small", [found.path, out && details(out), found.step.loc && fileOf(found.step.loc)].filter(Boolean).join(" · ")));
    return line;
  });
  tellAll(`${hits.length} found`, lines);
}

function start() {
  const top = data.graphs[0];
  tellAll(data.title,
    element("p", data.about),
    element("p", "Choose a step to read about it; + opens a box. Blue boxes are layers, yellow ones control flow; dashed green "
      + "values come from around a box. Ports tell what goes along an edge.", "dim"),
    element("p", "Keys: / searches, arrows move, Enter opens and closes, Escape goes back, + and − zoom, 0 fits.", "dim"),
    section("Takes", ...(top.inputs.length ? [rows(top.inputs, null)] : [])),
    section("Returns", ...(top.results.length ? [rows(top.results.map(valueAtTop), null)] : [])));
}
