import "reflect-metadata"
import { readFileSync, writeFileSync } from "node:fs"
import { printedSchema } from "./create-schema.js"

/** `print-schema.js FILE` writes the schema; with `--check` it only compares and fails when the file is not current. */
const [file, ...options] = process.argv.slice(2).sort((a, b) => Number(a.startsWith("--")) - Number(b.startsWith("--")))
if (file === undefined) throw new Error("name the file to write")
const current = await printedSchema()
if (!options.includes("--check")) writeFileSync(file, current)
else if (readFileSync(file, "utf8") !== current) {
  process.stderr.write(`${file} is not current. Run npm run schema and commit it.\n`)
  process.exitCode = 1
}
