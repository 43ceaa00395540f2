import type { JsonObject } from "../../kernel/json.js"

const NAME_PROPERTIES = ["email", "name", "username"]
/** What SDKs make up for visitors whom nobody has named: UUIDs, and the longer ids of old browsers' SDK. */
const MADE_UP =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{10,16}-[0-9a-f]{10,16}-[0-9a-f]{6,8}-[0-9a-f]{4,8}-[0-9a-f]{10,16})$/i

/** Ids that somebody chose first, made-up ones last; each kind in the order given. */
export function orderDistinctIds(distinctIds: readonly string[]): string[] {
  return [...distinctIds.filter((id) => !MADE_UP.test(id)), ...distinctIds.filter((id) => MADE_UP.test(id))]
}

/** What to call a person: e-mail address, name or user name; else the distinct id that says most; else the person's id. */
export function choosePersonName(
  { id, properties }: { readonly id: string; readonly properties: JsonObject },
  distinctIds: readonly string[],
): string {
  for (const property of NAME_PROPERTIES) {
    const value = properties[property]
    if (typeof value === "string" && value !== "") return value
  }
  return orderDistinctIds(distinctIds)[0] ?? id
}
