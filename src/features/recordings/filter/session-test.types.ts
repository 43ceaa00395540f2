import type { RecordingMeasure } from "../recording-measure.js"

/** A SELECT of one column with its bound values. */
export interface BoundSelect {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string | number>>
}

/** How a number is compared. */
export type Comparison = "eq" | "gt" | "gte" | "lt" | "lte"

/** What a session must be like to be listed, ready for a store. */
export type SessionTest =
  | { readonly kind: "all" | "any"; readonly tests: readonly SessionTest[] }
  | { readonly kind: "not"; readonly test: SessionTest }
  /** Its id is one of these. */
  | { readonly kind: "session_in"; readonly select: BoundSelect }
  /** It has data of one of these distinct ids. */
  | { readonly kind: "distinct_id_in"; readonly select: BoundSelect }
  | {
      readonly kind: "measure"
      readonly measure: RecordingMeasure
      readonly comparison: Comparison
      readonly value: number
    }
  /** Where the data came from is one of these. */
  | { readonly kind: "source_in"; readonly sources: readonly string[] }
  /** It has seen a page whose address is, holds (in any case) or matches one of these. */
  | { readonly kind: "page"; readonly match: "exact" | "icontains" | "regex"; readonly texts: readonly string[] }

/** One of these, or each of them; null for none of them. */
export function joinTests(kind: "all" | "any", tests: readonly (SessionTest | null)[]): SessionTest | null {
  const given = tests.filter((test) => test !== null)
  return given.length > 1 ? { kind, tests: given } : (given[0] ?? null)
}
