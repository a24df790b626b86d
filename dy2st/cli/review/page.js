"use strict";
const review = JSON.parse(document.getElementById("data").textContent);
const columns = ["source", "rewritten", "third"].map(id => document.getElementById(id));
const boxes = columns.map(column => column.querySelector(".lines"));
const told = document.getElementById("told");
const rowsOf = new Map();   // the key of a user's line -> the rows that come from it, those of the source first
const order = [];           // the rows of the source that may be chosen
let chosen = null, isEngine = false;

// What stands in a line: comments, texts, dy2st's part of rewritten code, words of Python.
const PARTS = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(#.*$)|(_jst\b(?:\.\w+)?)|\b(def|return|if|elif|else|for|while|in|not|and|or|is|None|True|False|break|continue|lambda|try|except|finally|with|as|raise|yield|match|case|pass|then|body|cond)\b/g;
const KINDS = ["quoted", "note", "runtime", "word"];

function element(tag, name, ...content) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...content);
  return made;
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    const kind = KINDS[match.slice(1).findIndex(Boolean)];
    parts.push(...breakable(text.slice(end, match.index)), element("span", kind, ...breakable(match[0])));
    end = match.index + match[0].length;
  }
  return [...parts, ...breakable(text.slice(end))];
}

// A line that is too long may go on behind a comma or a parenthesis, and between a dot and a name.
function breakable(text) {
  return text.split(/(?<=[,(]|\.(?=[A-Za-z_]))/).flatMap((part, k) => k ? [document.createElement("wbr"), part] : [part]);
}

function rowOf(line, withNumber) {
  const text = line.text.trimStart(), indent = line.text.length - text.length;
  const row = element("div", "row");
  if (withNumber) row.append(element("span", "number", line.number ? String(line.number) : ""));
  row.append(element("code", "text", ...coloured(text)));
  row.style.setProperty("--indent", indent);
  if ("changed" in line && text) row.classList.add(line.changed ? "changed" : "kept");
  row.keys = line.at;
  if (line.at.length) row.classList.add("linked");
  return row;
}

function noted(row) {
  for (const key of row.keys) {
    if (!rowsOf.has(key)) rowsOf.set(key, []);
    rowsOf.get(key).push(row);
  }
  return row;
}

function fateOf(fate, row) {
  const name = {"run by Python": "python", "not met": "unmet"}[fate.how] || fate.how;
  const made = element("div", "fate", element("span", "how " + name, fate.how), element("span", "", fate.why));
  made.style.setProperty("--indent", row.style.getPropertyValue("--indent"));
  return made;
}

function heading(fun) {
  return element("h3", "", fun.name, element("span", "", `${fun.file}:${fun.first}`));
}

for (const fun of review.functions) {
  boxes[0].append(heading(fun));
  for (const line of fun.source) {
    const row = noted(rowOf(line, true));
    boxes[0].append(row);
    if (line.text.trim()) order.push(row);
    row.fates = fun.fates.filter(fate => fate.line === line.number);
    row.notes = row.fates.map(fate => fateOf(fate, row));
    boxes[0].append(...row.notes);
  }
  boxes[1].append(heading(fun), ...fun.rewritten.map(line => noted(rowOf(line, true))));
}

function third(lines) {
  return lines.map(line => noted(rowOf(line, false)));
}
const program = review.program && third(review.program), engine = review.engine && third(review.engine);
const ofProgram = new Set(program || []);

function showThird() {
  if (program) boxes[2].replaceChildren(...(isEngine ? engine : program));
  document.getElementById("program-button").setAttribute("aria-pressed", String(!isEngine));
  document.getElementById("engine-button").setAttribute("aria-pressed", String(isEngine));
  document.querySelector("[data-column=third]").textContent = isEngine ? "NumPy" : "Program";
  if (chosen) reveal(chosen, boxes[2]);
}

if (!program) {
  const [words, command] = review.advice;
  boxes[2].append(element("div", "advice", words, command ? element("code", "", command) : ""));
  for (const button of columns[2].querySelectorAll("button")) button.disabled = true;
}

// Hover and choice: the rows of the same line are marked; a call's lines that led there are marked weakly.
let marked = [];
function mark(row) {
  for (const old of marked) old.classList.remove("on", "near");
  marked = [];
  if (!row || !row.keys.length) return;
  const [inner, ...outer] = row.keys;
  add(rowsOf.get(inner) || [], "on");
  for (const key of outer) add((rowsOf.get(key) || []).filter(other => other.parentNode === boxes[0]), "near");
}

function add(rows, name) {
  for (const row of rows) {
    for (const each of [row, ...(row.notes || [])]) {
      each.classList.add(name);
      marked.push(each);
    }
  }
}

function reveal(row, box) {
  const rows = (rowsOf.get(row.keys[0]) || []).filter(other => other.parentNode === box && other !== row);
  const top = box.getBoundingClientRect().top, bottom = top + box.clientHeight;
  const isSeen = rows.some(other => { const at = other.getBoundingClientRect(); return at.top > top + 30 && at.bottom < bottom; });
  if (rows.length && !isSeen) box.scrollTop += rows[0].getBoundingClientRect().top - top - box.clientHeight / 3;
}

function tell(row) {
  if (!row) { told.textContent = ""; return; }
  const own = rowsOf.get(row.keys[0]) || [];
  const source = own.find(other => other.parentNode === boxes[0]);
  const fates = source ? source.fates.map(fate => `${fate.how}: ${fate.why}`) : [];
  const count = (rows, word) => rows.length ? `${rows.length} ${word}${rows.length === 1 ? "" : "s"}` : "";
  const counts = [count(own.filter(other => other.parentNode === boxes[1]), "rewritten line"),
                  count(own.filter(other => ofProgram.has(other)), "Program line")];
  told.textContent = `line ${row.keys[0].split(":")[1]}: ${[...fates, ...counts].filter(Boolean).join("; ")}`;
}

function choose(row) {
  if (!row || !row.keys.length) return;
  if (chosen) chosen.classList.remove("at");
  chosen = (rowsOf.get(row.keys[0]) || []).find(other => other.parentNode === boxes[0]) || row;
  chosen.classList.add("at");
  mark(chosen);
  tell(chosen);
  for (const box of boxes) if (box !== row.parentNode) reveal(row, box);
  if (row === chosen) intoView(row);
}

function intoView(row) {
  const box = row.parentNode, at = row.getBoundingClientRect(), frame = box.getBoundingClientRect();
  if (at.top < frame.top + 30) box.scrollTop -= frame.top + 60 - at.top;
  if (at.bottom > frame.bottom - 30) box.scrollTop += at.bottom - frame.bottom + 60;
}

for (const box of boxes) {
  box.addEventListener("mouseover", event => {
    const row = event.target.closest(".row.linked");
    if (!row) return;
    mark(row);
    tell(row);
    for (const other of boxes) if (other !== box) reveal(row, other);
  });
  box.addEventListener("mouseleave", () => { mark(chosen); tell(chosen); });
  box.addEventListener("click", event => choose(event.target.closest(".row.linked")));
}

// Columns as tabs, where there is room for one.
let shown = 0;
function showColumn(k) {
  shown = (k + 3) % 3;
  columns.forEach((column, i) => column.classList.toggle("shown", i === shown));
  for (const tab of document.querySelectorAll("[role=tab]"))
    tab.setAttribute("aria-selected", String(tab.dataset.column === columns[shown].id));
  if (chosen) reveal(chosen, boxes[shown]);
}
for (const [k, tab] of document.querySelectorAll("[role=tab]").entries()) tab.addEventListener("click", () => showColumn(k));

function switchTo(value) { isEngine = value && engine !== null; showThird(); }
document.getElementById("program-button").addEventListener("click", () => switchTo(false));
document.getElementById("engine-button").addEventListener("click", () => switchTo(true));

function step(by, only) {
  let at = order.indexOf(chosen);
  do at += by; while (only && order[at] && !order[at].fates.length);
  choose(order[at]);
}

const KEYS = {
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  n: () => step(1, true), p: () => step(-1, true), s: () => switchTo(!isEngine),
  ArrowRight: () => showColumn(shown + 1), ArrowLeft: () => showColumn(shown - 1),
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.getElementById("target").textContent = review.target;
showColumn(0);
showThird();
