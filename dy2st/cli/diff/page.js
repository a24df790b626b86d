"use strict";
const found = JSON.parse(document.getElementById("data").textContent);
const MARKS = {"-": "gone", "+": "new", "~": "changed"};

function element(tag, name, ...content) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...content);
  return made;
}

function section(id, parts) {
  const box = document.getElementById(id);
  box.hidden = !parts.length;
  box.append(...parts);
}

function lineOf(line) {
  return element("div", MARKS[line.mark] || "", `${line.mark} ${line.text}`);
}

function folded(title, count, lines) {
  const box = element("details", "", element("summary", "", element("code", "", title), element("span", "", count)),
                      element("div", "lines", ...lines.map(lineOf)));
  box.open = true;
  return box;
}

function weightRow(weight, farthest) {
  const by = element("td", "by", weight.relative);
  const share = parseFloat(weight.relative) / farthest;
  if (share > 0) {
    const bar = element("span", "bar");
    bar.style.width = `${Math.max(2, 100 * share)}%`;
    by.append(bar);
  }
  const kind = element("td", "kind", weight.kind), how = element("td", "", element("span", "how " + weight.how, weight.how));
  return element("tr", "", element("td", "", weight.name), how, kind, by);
}

function weightTable(weights) {
  const heads = ["weight", "is", "type", "changed by"].map(text => element("th", "", text));
  const farthest = Math.max(...weights.map(weight => parseFloat(weight.relative) || 0));
  const rows = weights.map(weight => weightRow(weight, farthest));
  return element("table", "", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...rows));
}

document.getElementById("names").textContent = found.names.join(" → ");
const summary = document.getElementById("summary");
summary.textContent = found.summary;
summary.classList.toggle("same", !found.weights.length && !found.modules.length && !found.others.length);
section("weights", found.weights.length ? [weightTable(found.weights)] : []);
section("operations", found.modules.map(one => folded(one.path || "outside of sub-modules", one.count, one.lines)));
section("others", found.others.map(one => {
  const lines = one.lines.map(text => {
    const bare = text.trimStart();
    return MARKS[bare[0]] && bare[1] === " " ? {mark: bare[0], text: bare.slice(2)} : {mark: "", text};
  });
  return folded(one.title || "graph", "", lines);
}));
