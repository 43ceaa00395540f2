import "reflect-metadata"
/**
 * Writes what is made of the resolvers and the REST rows: `schema.graphql`, and the types of the operations that the
 * rows run. With `--check` it only compares, and fails when one of them is not current.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describeSchemas, printedSchema } from "../src/app/create-schema.js"
import { makeOperationTypes } from "./operation-types.js"

const isCheck = process.argv.includes("--check")

/** Writes a file unless it is current, or says that it is not. */
function keep(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return
  if (isCheck) {
    process.stderr.write(`${path} is not current. Run npm run schema and commit it.\n`)
    process.exitCode = 1
  } else writeFileSync(path, text)
}

keep("schema.graphql", await printedSchema())
const { operations } = await describeSchemas()
const generated = "src/transport/rest/generated/"
const types = await makeOperationTypes(operations)
for (const [name, text] of types) keep(generated + name, text)
for (const name of readdirSync(generated).filter((one) => !types.has(one))) rmSync(generated + name)
