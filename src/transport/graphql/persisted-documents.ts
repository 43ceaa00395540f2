import { hash } from "node:crypto"
import { LRUCache } from "lru-cache"
import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type JsonObject, parseJson } from "../../kernel/json.js"

const MAX_REMEMBERED = 1_000
/** Of all texts together. */
const MAX_CHARACTERS = 5_000_000

/** Texts of documents by their names. */
export interface PersistedDocuments {
  /**
   * The request with the text that it names, as if it had been sent whole; the request itself when it names none.
   * @throws AppError persisted_query_not_found; invalid_input for a text that does not have the hash it came with.
   */
  complete(sent: JsonObject): JsonObject
  /** Keeps the text of a request that came with its hash, for those that will name it. */
  remember(sent: JsonObject): void
}

/**
 * Makes the memory of documents that requests over HTTP may name instead of sending them: those that the operator
 * trusts, by the name they have in the list, and those that callers have sent before, by their SHA-256
 * (`docs/contract/faults.md#documents-by-name`).
 * @param trusted texts by name.
 */
export function createPersistedDocuments(trusted: Readonly<Record<string, string>>): PersistedDocuments {
  const known = new Map(Object.entries(trusted))
  const remembered = new LRUCache<string, string>({
    max: MAX_REMEMBERED,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ length }) => Math.max(1, length),
  })
  return {
    complete: (sent) => {
      const name = readName(sent)
      if (name === null) return sent
      const { documentId: _, extensions: __, query, ...others } = sent
      if (typeof query !== "string") {
        const text = known.get(name) ?? remembered.get(withoutScheme(name))
        if (text === undefined) throw new AppError("persisted_query_not_found")
        return { ...others, query: text }
      }
      if (hash("sha256", query) === withoutScheme(name)) return { ...others, query }
      const detail = "The hash is not the SHA-256 of the document, in lower-case hexadecimal digits."
      throw new AppError("invalid_input", { attr: "extensions", detail })
    },
    remember: (sent) => {
      const name = readName(sent)
      if (name !== null && typeof sent.query === "string") remembered.set(withoutScheme(name), sent.query)
    },
  }
}

/** As clients of automatic persisted queries name a document, and as the draft for GraphQL over HTTP does. */
function readName({ documentId, extensions }: JsonObject): string | null {
  if (typeof documentId === "string") return documentId
  const given = typeof extensions === "string" ? parseOrNull(extensions) : (extensions ?? null)
  const persisted = isJsonObject(given) ? given.persistedQuery : undefined
  if (persisted === undefined || !isJsonObject(persisted)) return null
  return typeof persisted.sha256Hash === "string" ? persisted.sha256Hash : null
}

const withoutScheme = (name: string): string => name.replace(/^sha256:/, "")

/** Null for what is no JSON: Apollo says so. */
function parseOrNull(text: string) {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
