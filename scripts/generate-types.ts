/**
 * Writes the types of the documents in docs/recipes.md, unless they were made of exactly these files. They are not
 * committed: `npm run types` and `npm test` make them first.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import codegen from "../test/clients/codegen.js"

const SOURCES = ["schema.graphql", "docs/recipes.md", "test/clients/codegen.ts", "scripts/client-types.ts"]
const FOLDER = "test/clients/generated"
const MADE_FROM = `${FOLDER}/made-from`

const read = (path: string): string => readFileSync(path, "utf8")

const hash = createHash("sha256")
for (const path of SOURCES) hash.update(read(path)).update("\0")
const key = hash.digest("hex")
if (!existsSync(MADE_FROM) || read(MADE_FROM) !== key) {
  const { makeClientTypes, readRecipes } = await import("./client-types.js")
  const { config } = codegen.generates["src/graphql/"]
  const types = await makeClientTypes(read("schema.graphql"), readRecipes(read("docs/recipes.md")), config)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/graphql.ts`, types)
  writeFileSync(MADE_FROM, key)
}
