// node run.mjs PACKAGE FOLDER: runs the jobs of FOLDER/jobs.json in onnxruntime-node or onnxruntime-web, and prints the answers.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const [name, folder] = process.argv.slice(2);
// onnxruntime-node takes every Float16Array for an empty one (microsoft/onnxruntime #32323); without the class, it uses Uint16Array.
if (name === "onnxruntime-node") delete globalThis.Float16Array;
const { answered } = await import("./calls.mjs");
const ort = await import(name);
const jobs = JSON.parse(await readFile(join(folder, "jobs.json"), "utf8"));
const found = await answered(ort, jobs, (file) => readFile(join(folder, file)));
process.stdout.write(JSON.stringify(found));
