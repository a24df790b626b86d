// The model in onnxruntime-web: one call writes a whole name.
import * as ort from "./ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1; // more than one needs headers that plain static servers don't send

// What is known of the model (model.json), and `written(start, dice, wildness)`: see there.
export async function loaded() {
  const about = await (await fetch("model.json")).json();
  const session = await ort.InferenceSession.create("namer.onnx");
  let last = Promise.resolve(); // calls run one after the other

  async function written(start, dice, wildness) {
    const feeds = {
      start: new ort.Tensor("int64", BigInt64Array.from(start, (letter) => BigInt(about.alphabet.indexOf(letter))), [start.length]),
      dice: new ort.Tensor("float32", dice, [dice.length]),
      wildness: new ort.Tensor("float32", [wildness], []),
    };
    const began = performance.now();
    const found = await session.run(feeds);
    const took = performance.now() - began;
    const [letters, odds] = session.outputNames.map((name) => found[name]);
    const [turns, width] = odds.dims;
    return {
      start,
      dice,
      took,
      letters: Array.from(letters.data, (place) => about.alphabet[Number(place)]),
      odds: Array.from({ length: turns }, (_, turn) => odds.data.slice(turn * width, (turn + 1) * width)),
    };
  }

  const queued = (...call) => (last = last.then(() => written(...call)));
  return { about, written: queued };
}
