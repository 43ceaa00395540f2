import { gunzipSync } from "node:zlib"
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../kernel/json.js"

/** Parts of an incremental item that posthog-js compresses one by one, by the item's source. */
const COMPRESSED_PARTS: Readonly<Record<number, readonly string[]>> = {
  0: ["texts", "attributes", "removes", "adds"],
  8: ["adds", "removes"],
}
/** Strangers wrote it: more than that is left as it is. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024

/** A recorded item as rrweb has it: posthog-js writes gzip into the texts of some, a byte in each character. */
export function inflateItem(item: JsonObject): JsonObject {
  const { cv, ...plain } = item
  const { data = null } = item
  if (cv === undefined) return item
  try {
    if (typeof data === "string") return { ...plain, data: inflate(data) }
    if (!isJsonObject(data)) return item
    const parts = (COMPRESSED_PARTS[Number(data.source)] ?? []).flatMap((name): [string, Json][] => {
      const text = data[name]
      return typeof text === "string" ? [[name, inflate(text)]] : []
    })
    return { ...plain, data: { ...data, ...Object.fromEntries(parts) } }
  } catch {
    return item
  }
}

const inflate = (text: string): Json =>
  parseJson(gunzipSync(Buffer.from(text, "latin1"), { maxOutputLength: MAX_INFLATED_BYTES }).toString())
