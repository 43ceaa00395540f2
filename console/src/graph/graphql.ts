import { gql, type TypedDocumentNode } from "urql"
import type { Documents } from "./generated/documents"

/**
 * An operation with the types of its variables and of its answer. `npm run generate` finds the text here, checks it
 * against schema.graphql and writes the types, so it is one template without placeholders; the build needs neither.
 * The fragments that it spreads follow it.
 */
export function graphql<Source extends keyof Documents>(
  source: Source,
  ...fragments: readonly TypedDocumentNode[]
): Documents[Source] {
  const { kind, definitions } = gql(source)
  return { kind, definitions: [...definitions, ...fragments.flatMap((one) => one.definitions)] } as Documents[Source]
}
