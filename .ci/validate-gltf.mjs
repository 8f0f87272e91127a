// Checks glTF files with the Khronos validator.
//
//   npm install --prefix DIR gltf-validator
//   node .ci/validate-gltf.mjs DIR [--strict] FILE...
//
// Prints each file with its errors and warnings and, in the end, how many there were. Leaves with
// 1 if a file has an error (with --strict: or a warning), 2 if it was called wrongly.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

const ERROR = 0;
const WARNING = 1;
const SHOWN = 20;

const [home, ...words] = process.argv.slice(2);
const strict = words.includes("--strict");
const files = words.filter((word) => word !== "--strict");
if (files.length === 0) {
  console.error("usage: node validate-gltf.mjs DIR [--strict] FILE...");
  process.exit(2);
}

let validator;
try {
  validator = createRequire(join(resolve(home), "package.json"))("gltf-validator");
} catch {
  console.error(`gltf-validator is not in ${home}: npm install --prefix ${home} gltf-validator`);
  process.exit(2);
}

async function issues(file) {
  try {
    const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
      uri: basename(file),
      maxIssues: 0,
      externalResourceFunction: async (uri) =>
        new Uint8Array(await readFile(join(dirname(file), decodeURIComponent(uri)))),
    });
    return report.issues;
  } catch (reason) {
    const message = { severity: ERROR, code: "UNREADABLE", message: String(reason) };
    return { numErrors: 1, numWarnings: 0, messages: [message] };
  }
}

let errors = 0;
let warnings = 0;
for (const file of files) {
  const { numErrors, numWarnings, messages } = await issues(file);
  errors += numErrors;
  warnings += numWarnings;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  const grave = messages.filter(({ severity }) => severity === ERROR || severity === WARNING);
  for (const { severity, code, message, pointer } of grave.slice(0, SHOWN)) {
    console.log(`  ${severity === ERROR ? "error" : "warning"} ${code} ${pointer ?? ""}: ${message}`);
  }
  if (grave.length > SHOWN) console.log(`  and ${grave.length - SHOWN} more`);
}
console.log(`${files.length} files: ${errors} errors, ${warnings} warnings`);
process.exit(errors > 0 || (strict && warnings > 0) ? 1 : 0);
