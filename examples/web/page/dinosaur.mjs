// The dinosaur: a plate on its back for every letter, from the neck to the tail.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// letters: [{letter, turn}], turn is null for one that was typed; `choose(turn)` is called where a written one is clicked.
export function grow(svg, letters, choose) {
  const spine = svg.querySelector("#spine");
  const length = spine.getTotalLength();
  const width = Math.min(76, (length / letters.length) * 1.06);
  const plates = letters.map(({ letter, turn }, at) => {
    const place = (at + 0.5) / letters.length;
    const here = spine.getPointAtLength(place * length);
    const next = spine.getPointAtLength(place * length + 1);
    const angle = (Math.atan2(next.y - here.y, next.x - here.x) * 180) / Math.PI;
    const height = Math.min(96, width * 1.5) * (0.72 + 0.4 * Math.sin(Math.PI * place));
    const half = width / 2;
    const leaf = element("path", { d: `M${-half} 14 Q${-half * 1.05} ${-height * 0.45} 0 ${-height} Q${half * 1.05} ${-height * 0.45} ${half} 14 Z` });
    const text = element("text", { transform: `translate(0 ${-height * 0.32}) rotate(${-angle}) scale(${width * 0.56})` }, letter);
    const plate = element("g", { class: turn === null ? "plate typed" : "plate written", transform: `translate(${here.x} ${here.y}) rotate(${angle})`, style: `--at: ${at}` }, element("g", {}, leaf, text));
    if (turn !== null) plate.addEventListener("click", () => choose(turn));
    plate.dataset.turn = turn ?? "";
    return plate;
  });
  svg.querySelector("#plates").replaceChildren(...plates);
}

export function mark(svg, turn) {
  for (const plate of svg.querySelectorAll(".plate")) plate.classList.toggle("chosen", plate.dataset.turn === String(turn));
}
