import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type DocumentNode, Kind, parse } from "graphql"

const FOLDER = "console/src"

/** A document of the console with the text that it is known by. */
export interface ConsoleDocument {
  readonly source: string
  readonly document: DocumentNode
}

/** The files of the console that may hold documents, in order. */
export const listConsoleSources = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("graph/"))
    .map((name) => join(FOLDER, name))
    .sort()

/** The texts given to `graphql` (console/src/graph/graphql.ts). @throws GraphQLError for one that cannot be read. */
export const readConsoleDocuments = (files: readonly string[]): ConsoleDocument[] =>
  files
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\bgraphql\(\s*`([^`]*)`/g)])
    .map(([, source = ""]) => ({ source, document: parse(source, { noLocation: true }) }))

/** What the preset names the constant of a document. @throws Error for a document without a name. */
function toConstant({ definitions: [first] }: DocumentNode): string {
  if (first?.kind === Kind.FRAGMENT_DEFINITION) return `${first.name.value}FragmentDoc`
  if (first?.kind === Kind.OPERATION_DEFINITION && first.name !== undefined) return `${first.name.value}Document`
  throw new Error("a document of the console has no name")
}

/** A module with the type of each document by its text. */
export function writeDocumentMap(documents: readonly ConsoleDocument[]): string {
  const lines = documents.map(
    ({ source, document }) => `  ${JSON.stringify(source)}: typeof made.${toConstant(document)}`,
  )
  return `import type * as made from "./graphql"\n\nexport interface Documents {\n${lines.join("\n")}\n}\n`
}
