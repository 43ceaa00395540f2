import { createHash } from "node:crypto"
import { AppError } from "../../kernel/errors.js"
import type { KeyValue, RowKey } from "../../kernel/list-order.js"

/** Characters of a mark: two lists have the same one once in 2^48. */
const MARK_LENGTH = 8
/** A key has a few short values; a longer text is none of ours. */
const MAX_CURSOR_LENGTH = 16_384

/**
 * A short mark of a list, for its cursors: the same for the same list, project, filter and order, whatever the order of
 * fields and whether what is absent is written as null.
 */
export function markList(identity: readonly unknown[]): string {
  const text = JSON.stringify(identity, (_, value: unknown) => sortFields(value))
  return createHash("sha256").update(text).digest("base64url").slice(0, MARK_LENGTH)
}

/** A row's place in the list of a mark, as text that says nothing to clients. */
export const writeCursor = (mark: string, key: RowKey): string =>
  Buffer.from(JSON.stringify([mark, ...key])).toString("base64url")

/**
 * Reads a cursor of the list of a mark.
 * @throws AppError invalid_input naming `attr` for what is no cursor, or one of another list.
 */
export function readCursor(mark: string, cursor: string, attr: string): RowKey {
  const parts = cursor.length > MAX_CURSOR_LENGTH ? null : parseParts(cursor)
  if (parts === null) throw new AppError("invalid_input", { attr, detail: `${attr} is not a cursor.` })
  const [markRead, ...key] = parts
  if (markRead === mark) return key
  const detail = `${attr} is a cursor of another list, or of this one with another filter or order.`
  throw new AppError("invalid_input", { attr, detail })
}

function parseParts(cursor: string): KeyValue[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
    return Array.isArray(parts) && typeof parts[0] === "string" && parts.every(isKeyValue) ? parts : null
  } catch {
    return null
  }
}

const isKeyValue = (part: unknown): part is KeyValue => part === null || typeof part !== "object"

function sortFields(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value
  const present = Object.entries(value).filter(([, field]) => field != null)
  return Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)))
}
