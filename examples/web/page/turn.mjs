// One turn of the loop: how likely each letter was, and where the die fell.

const percent = (chance) => `${(chance * 100).toFixed(chance < 0.0995 ? 1 : 0)} %`;

export function showTurn(alphabet, name, turn) {
  const odds = name.odds[turn];
  const chosen = turn < name.letters.length ? alphabet.indexOf(name.letters[turn]) : 0;
  const shown = (place) => (place === 0 ? "■" : alphabet[place]);
  const what = chosen === 0 ? "■, the end" : shown(chosen);
  document.querySelector("#turn-words").textContent =
    `Turn ${turn + 1} of ${name.odds.length}: the die fell at ${name.dice[turn].toFixed(2)}, on ${what} (${percent(odds[chosen])}).`;
  const parts = Array.from(odds, (chance, place) => {
    const part = document.createElement("div");
    part.style.flexGrow = chance;
    part.title = `${shown(place)} ${percent(chance)}`;
    part.textContent = chance > 0.03 ? shown(place) : "";
    part.classList.toggle("chosen", place === chosen);
    return part;
  });
  document.querySelector("#strip").replaceChildren(...parts);
  document.querySelector("#die").style.left = `${name.dice[turn] * 100}%`;
  document.querySelector("#turn").hidden = false;
}
