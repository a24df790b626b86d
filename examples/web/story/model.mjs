// The models in onnxruntime-web, and the tokens that they read and write.
import * as ort from "./ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1; // more than one needs headers that plain static servers don't send

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// encode(text), decode(ids): as in story.py. next(way, ids): the tokens that the model of this name writes. end: the last token. source: of the model, in Python.
export async function loaded() {
  const { tokens, end, source } = await (await fetch("model.json")).json();
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const longestFirst = tokens.filter(Boolean).sort((a, b) => b.length - a.length);
  const fits = new RegExp(longestFirst.map(quoted).join("|"), "g");
  const sessions = {};
  for (const way of ["sampled", "likeliest"]) sessions[way] = await ort.InferenceSession.create(`${way}.onnx`);
  let last = Promise.resolve(); // calls run one after the other

  async function written(way, ids) {
    await new Promise((resolve) => setTimeout(resolve)); // the browser shows the tokens before
    const given = new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { output } = await sessions[way].run({ ids: given }, ["output"]);
    return Array.from(output.data, Number);
  }

  return {
    end,
    source,
    encode: (text) => (text.match(fits) ?? []).map((token) => numbers.get(token)),
    decode: (ids) => ids.map((id) => tokens[id]).join(""),
    next: (way, ids) => (last = last.then(() => written(way, ids))),
  };
}
