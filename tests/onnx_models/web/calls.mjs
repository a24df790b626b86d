// Runs models in whatever onnxruntime it is given, onnxruntime-node or onnxruntime-web: calls as JSON in, answers as JSON out.
// A tensor in JSON is {dtype, shape, data}: data is its bytes in base64, or a list of texts.

const ARRAYS = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float16: globalThis.Float16Array ?? Uint16Array, // newer than some runtimes
  float32: Float32Array,
  float64: Float64Array,
};

function decoded(ort, { dtype, shape, data }) {
  if (dtype === "string") return new ort.Tensor(dtype, data, shape);
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new ort.Tensor(dtype, new ARRAYS[dtype](bytes.buffer), shape);
}

function encoded({ type, dims, data }) {
  if (type === "string") return { dtype: type, shape: dims, data };
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return { dtype: type, shape: dims, data: btoa(letters.join("")) };
}

const mapped = (change, tensors) => Object.fromEntries(Object.entries(tensors).map(([name, x]) => [name, change(x)]));

async function answersOf(ort, bytes, calls) {
  // What "all" adds lays images out anew; before 1.32 it fails for a batch of none.
  const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel: "extended" });
  const answers = [];
  for (const call of calls) {
    const feeds = mapped((x) => decoded(ort, x), call);
    answers.push(mapped(encoded, await session.run(feeds)));
  }
  await session.release();
  return answers;
}

// The answers of each job {name, model, calls} under its name, or {error}; `read` gives the bytes of a model's file.
export async function answered(ort, jobs, read) {
  const found = {};
  for (const { name, model, calls } of jobs) {
    try {
      found[name] = await answersOf(ort, await read(model), calls);
    } catch (error) {
      found[name] = { error: String(error) };
    }
  }
  return found;
}
