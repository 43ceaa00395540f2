import { type DocumentNode, GraphQLError, parse } from "graphql"
import { AppError } from "../../kernel/errors.js"
import { checkDocument } from "./check-document.js"
import type { GraphqlLimits } from "./graphql-limits.js"

const MAX_REMEMBERED = 500
/** Longer documents are rare and are parsed again, so that the memory of the gate stays below 5 MB. */
const MAX_REMEMBERED_LENGTH = 10_000

/** Parses a document text that keeps to the limits; remembers the latest ones. */
export type AdmitDocument = (text: string) => DocumentNode

/**
 * Makes the one gate every document from outside passes, over HTTP and over sockets.
 * The gate throws AppError cost_limit when a limit is broken and GraphQLError when the text is not GraphQL.
 */
export function createDocumentGate(limits: GraphqlLimits): AdmitDocument {
  const remembered = new Map<string, DocumentNode>()
  return (text) => {
    const before = remembered.get(text)
    if (before !== undefined) return before
    if (text.length > limits.maxDocumentLength) throw tooLong(limits)
    const document = parseBounded(text, limits)
    checkDocument(document, limits)
    if (text.length <= MAX_REMEMBERED_LENGTH) {
      remembered.set(text, document)
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "")
    }
    return document
  }
}

const tooLong = (limits: GraphqlLimits) =>
  new AppError("cost_limit", {
    detail: `The document has more than the ${limits.maxDocumentLength} characters allowed.`,
    extra: { rule: "characters", limit: limits.maxDocumentLength },
  })

function parseBounded(text: string, limits: GraphqlLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.maxTokens })
  } catch (thrown) {
    if (thrown instanceof GraphQLError && /more tha[nt] \d+ tokens/.test(thrown.message))
      throw new AppError("cost_limit", {
        detail: `The document has more than the ${limits.maxTokens} tokens allowed.`,
        extra: { rule: "tokens", limit: limits.maxTokens },
        cause: thrown,
      })
    throw thrown
  }
}
