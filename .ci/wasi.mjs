// Runs a program that was built for wasm32-wasip1: node wasi.mjs PROGRAM.wasm
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program], env: {}, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
