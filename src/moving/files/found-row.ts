import type { JsonObject } from "../../kernel/json.js"

/** A row of a source. */
export interface FoundRow {
  /** Where it is, for a person who looks for it. */
  readonly place: string
  /** Null for what cannot be read as one. */
  readonly row: JsonObject | null
}
