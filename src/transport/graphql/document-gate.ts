import { type DocumentNode, GraphQLError, parse } from "graphql"
import { LRUCache } from "lru-cache"
import { AppError } from "../../kernel/errors.js"
import { checkDocument } from "./check-document.js"
import type { GraphqlLimits } from "./graphql-limits.js"

const MAX_CACHED = 500
/** Longer documents are rare and are parsed again, so that the cache stays below 5 MB. */
const MAX_CACHED_LENGTH = 10_000

/** Parses a document text that keeps to the limits; caches the latest ones. */
export type AdmitDocument = (text: string) => DocumentNode

/**
 * Makes the one gate every document from outside passes, over HTTP and over sockets.
 * The gate throws AppError cost_limit when a limit is broken, permission_denied for a document that is not trusted
 * where only trusted ones are, and GraphQLError when the text is not GraphQL.
 * @param onlyThese texts of the documents that are trusted; null trusts every one.
 */
export function createDocumentGate(limits: GraphqlLimits, onlyThese: readonly string[] | null = null): AdmitDocument {
  const permitted = onlyThese === null ? null : new Set(onlyThese)
  const documents = new LRUCache<string, DocumentNode>({
    max: MAX_CACHED,
    maxEntrySize: MAX_CACHED_LENGTH,
    sizeCalculation: (_document, text) => Math.max(1, text.length),
    memoMethod: (text) => {
      if (text.length > limits.maxDocumentLength) throw tooLong(limits)
      if (permitted !== null && !permitted.has(text)) throw untrusted()
      const document = parseBounded(text, limits)
      checkDocument(document, limits)
      return document
    },
  })
  return (text) => documents.memo(text)
}

const untrusted = () =>
  new AppError("permission_denied", { detail: "Only documents of the list of trusted ones are executed here." })

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
