import { readFileSync } from "node:fs"
import { GraphQLError, type GraphQLSchema, parse, validate } from "graphql"
import { z } from "zod"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { TrustedDocuments } from "../transport/graphql/graphql-gateway.js"

const MANIFEST = z.record(z.string(), z.string())

/**
 * Reads the list of trusted documents: a JSON object of texts by name, as graphql-codegen and Relay write one.
 * @param path null for none.
 * @throws StartupError for a list that cannot be read, or the first document of it that does not fit the schema.
 */
export function readTrustedDocuments(
  path: string | null,
  isExclusive: boolean,
  schema: GraphQLSchema,
): TrustedDocuments {
  if (path === null) return { documents: {}, isExclusive }
  const documents = readManifest(path)
  for (const [name, text] of Object.entries(documents)) {
    const fault = findFault(text, schema)
    if (fault !== null) throw new StartupError(`TRUSTED_DOCUMENTS: ${name} does not fit the schema: ${fault}`)
  }
  return { documents, isExclusive }
}

function readManifest(path: string): Record<string, string> {
  try {
    return MANIFEST.parse(JSON.parse(readFileSync(path, "utf8")))
  } catch {
    throw new StartupError("TRUSTED_DOCUMENTS must name a JSON file of document texts by name.")
  }
}

function findFault(text: string, schema: GraphQLSchema): string | null {
  try {
    return validate(schema, parse(text))[0]?.message ?? null
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return thrown.message
    throw thrown
  }
}
