// Source with colours, and with notes that stand behind lines.

const TOKENS = /(?<comment>#.*|\/\/.*)|(?<string>"[^"]*")|(?<keyword>\b(?:def|return|if|for|in|while|break|self|await|const|import|from)\b)|(?<number>\b\d[\w.]*\b)/g;

function* coloured(line) {
  let done = 0;
  for (const match of line.matchAll(TOKENS)) {
    yield line.slice(done, match.index);
    const part = document.createElement("span");
    part.className = Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined);
    part.textContent = match[0];
    yield part;
    done = match.index + match[0].length;
  }
  yield line.slice(done);
}

const indent = (line) => line.search(/\S|$/);

// Makes the text of `pre` lines with colours, and marks those of loops.
export function showSource(pre) {
  let loop = null;
  const lines = pre.textContent.split("\n").map((line) => {
    if (loop !== null && line.trim() && indent(line) <= loop) loop = null;
    const starts = /^\s*(for|while)\b/.test(line);
    if (starts && loop === null) loop = indent(line);
    const shown = document.createElement("span");
    shown.className = loop !== null && line.trim() ? "line inside" : "line";
    shown.append(...coloured(line));
    return shown;
  });
  pre.replaceChildren(...lines);
}

// Put `note` behind the first line that holds `text`; an empty one takes it away.
export function annotate(pre, text, note) {
  const line = [...pre.children].find((candidate) => candidate.textContent.includes(text));
  line.querySelector(".note")?.remove();
  if (!note) return;
  const shown = document.createElement("span");
  shown.className = "note";
  shown.textContent = note;
  line.append(shown);
}
