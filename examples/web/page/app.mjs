// What happens on the page: a nest of names is written for what is typed, one is shown, and one turn of it.
import { diceOf, fresh } from "./dice.mjs";
import { grow, mark } from "./dinosaur.mjs";
import { loaded } from "./model.mjs";
import { annotate, showSource } from "./source.mjs";
import { showTurn } from "./turn.mjs";

const TURNS = 22; // at most: a die for each
const NEST = 6; // different names, where it finds as many

const $ = (id) => document.getElementById(id);
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const letters = (text) => text.normalize("NFD").toLowerCase().replace(/[^a-z]/g, "");
const spelled = (name) => name.start + name.letters.join("");

let about, written; // the model
let seed = fresh();
let asked = 0; // which request is the latest
export let nest = []; // the names of the latest one
let shown = 0, turn = 0;

// --- asking the model ---

async function hatch() {
  const request = ++asked;
  const start = letters($("start").value);
  const wildness = Number($("wildness").value);
  $("wildness-shown").value = wildness.toFixed(1);
  const found = [];
  for (let egg = 0; found.length < NEST && egg < 4 * NEST; egg++) {
    const name = await written(start, diceOf(seed + egg, TURNS), wildness);
    if (request !== asked) return;
    if (!found.some((other) => spelled(other) === spelled(name))) found.push(name);
  }
  history.replaceState(null, "", `#${start}/${wildness}/${seed}`);
  nest = found;
  show(0);
}

// --- showing what it wrote ---

function show(egg) {
  shown = egg;
  const name = nest[egg];
  const typed = Array.from(name.start, (letter) => ({ letter, turn: null }));
  grow($("dinosaur"), [...typed, ...name.letters.map((letter, at) => ({ letter, turn: at }))], choose);
  $("dinosaur").setAttribute("aria-label", `A dinosaur with ${many(spelled(name).length, "plate")} on its back`);
  showName(name);
  showNest();
  showFacts(name);
  choose(Math.min(turn, name.odds.length - 1));
}

function showName(name) {
  const typed = Array.from(name.start, (letter) => Object.assign(document.createElement("span"), { textContent: letter }));
  const turns = name.odds.map((_, at) => {
    const button = document.createElement("button");
    const isEnd = at >= name.letters.length;
    button.textContent = isEnd ? "■" : name.letters[at];
    button.className = isEnd ? "end" : "";
    button.setAttribute("aria-label", `Turn ${at + 1}: ${isEnd ? "the end" : name.letters[at]}`);
    button.addEventListener("click", () => choose(at));
    return button;
  });
  $("name").replaceChildren(...typed, ...turns);
}

function showFacts(name) {
  const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const lived = about.names.includes(spelled(name)) ? " · this one really lived" : "";
  $("facts").replaceChildren("The loop went round ", bold(many(name.odds.length, "time")), " in one call of ", bold(`${name.took.toFixed(1)} ms`), lived);
  const ended = name.letters.length < name.odds.length;
  annotate($("source"), "for typed in start", many(name.start.length, "turn"));
  annotate($("source"), "for roll in dice", many(name.odds.length, "turn"));
  annotate($("source"), "break", ended ? `in turn ${name.odds.length}` : "");
}

function showNest() {
  const eggs = nest.map((name, egg) => {
    const button = document.createElement("button");
    button.append(Object.assign(document.createElement("b"), { textContent: spelled(name) || "…" }));
    button.append(Object.assign(document.createElement("small"), { textContent: many(name.odds.length, "turn") }));
    button.setAttribute("aria-pressed", egg === shown);
    button.addEventListener("click", () => show(egg));
    return button;
  });
  $("nest").replaceChildren(...eggs);
}

function choose(at) {
  turn = at;
  showTurn(about.alphabet, nest[shown], turn);
  mark($("dinosaur"), turn);
  for (const [place, button] of [...$("name").querySelectorAll("button")].entries()) button.setAttribute("aria-pressed", place === turn);
}

// --- starting ---

function fromAddress() {
  const [start, wildness, number] = location.hash.slice(1).split("/");
  if (number === undefined) return;
  $("start").value = start;
  $("wildness").value = wildness;
  seed = Number(number) || 0;
}

function step(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || event.target.matches("input, pre")) return;
  choose(Math.min(Math.max(turn + by, 0), nest[shown].odds.length - 1));
  if (event.target.closest("#name")) $("name").querySelectorAll("button")[turn].focus();
}

async function main() {
  fromAddress();
  ({ about, written } = await loaded());
  $("source").textContent = about.source;
  document.querySelectorAll("pre").forEach(showSource);
  $("graph").textContent = about.graph;
  for (const start of ["", "a", "anna"]) await written(start, diceOf(0, TURNS), 1); // the first calls also compile
  await hatch();
  $("start").addEventListener("input", hatch);
  $("wildness").addEventListener("input", hatch);
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    seed = fresh();
    turn = 0;
    return hatch();
  });
  document.addEventListener("keydown", step);
}

window.ready = main().catch((error) => {
  $("facts").textContent = `This browser can't run the model: ${error}`;
  throw error;
});
