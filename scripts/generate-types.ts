/**
 * Writes the types of the documents in docs/recipes.md and in the console, each unless they were made of exactly these
 * files. They are not committed: `npm run types` and `npm test` make them first.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import codegen from "../test/clients/codegen.js"
import { listConsoleSources } from "./console-documents.js"

const MAKERS = ["schema.graphql", "test/clients/codegen.ts", "scripts/client-types.ts", "scripts/console-documents.ts"]

const read = (path: string): string => readFileSync(path, "utf8")

/** Writes files into a folder unless they were made of exactly these sources. */
async function make(
  folder: string,
  sources: readonly string[],
  write: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const hash = createHash("sha256")
  for (const path of [...MAKERS, ...sources]) hash.update(`${path}\0`).update(read(path)).update("\0")
  const key = hash.digest("hex")
  const madeFrom = `${folder}/made-from`
  if (existsSync(madeFrom) && read(madeFrom) === key) return
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(await write())) writeFileSync(`${folder}/${name}`, text)
  writeFileSync(madeFrom, key)
}

const { config } = codegen.generates["src/graphql/"]

await make("test/clients/generated", ["docs/recipes.md"], async () => {
  const { makeClientTypes, readRecipes } = await import("./client-types.js")
  const documents = readRecipes(read("docs/recipes.md"))
  return { "graphql.ts": await makeClientTypes(read("schema.graphql"), documents, config) }
})

const consoleSources = listConsoleSources()
await make("console/src/graph/generated", consoleSources, async () => {
  const { makeClientTypes } = await import("./client-types.js")
  const { readConsoleDocuments, writeDocumentMap } = await import("./console-documents.js")
  const documents = readConsoleDocuments(consoleSources)
  const types = await makeClientTypes(
    read("schema.graphql"),
    documents.map(({ document }) => document),
    config,
  )
  return { "graphql.ts": types, "documents.ts": writeDocumentMap(documents) }
})
