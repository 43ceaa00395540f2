import { readFileSync } from "node:fs"

/** A request of a case; variables are written as `$name`. */
export interface CaseRequest {
  readonly method: string
  readonly path: string
  readonly bearer?: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly raw_body?: string
}

/** What an answer has to be; everything but status, headers and body are checks on the body. */
export interface CaseExpectation {
  readonly status: unknown
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
  /** False: the items of the body's array may come in any order. */
  readonly ordered?: boolean
  readonly empty_body?: boolean
  readonly absent_keys?: readonly string[]
  readonly has_keys?: readonly string[]
  readonly every_result?: unknown
  readonly every_result_has_keys?: readonly string[]
  readonly first_results_short_ids?: readonly string[]
  readonly absent_short_ids?: readonly string[]
  readonly absent_ids?: readonly string[]
  readonly result_ids?: readonly string[]
  readonly sorted_desc_by?: string
  readonly poll_until?: Readonly<Record<string, unknown>>
  readonly csv?: unknown
}

/** A request, what its answer has to be, and what is remembered of it. */
export interface CaseStep {
  readonly request: CaseRequest
  readonly expect: CaseExpectation
  /** What to answer where the contract or a decision overrules what was observed elsewhere. */
  readonly recommended?: CaseExpectation
  /** Name of a variable to where its value stands in the answer: `$.short_id`. */
  readonly save?: Readonly<Record<string, string>>
}

/** One case: steps that are taken in order. */
export interface ManagementCase {
  readonly id: string
  readonly area: string
  readonly title: string
  readonly steps: readonly CaseStep[]
}

/** Reads the cases of a case file. */
export const managementCases = (
  JSON.parse(readFileSync("test/cases/management.json", "utf8")) as { cases: readonly ManagementCase[] }
).cases

/** Puts variables into a value; a text that is nothing but one variable becomes its value, numbers included. */
export function fill<T>(value: T, variables: Readonly<Record<string, unknown>>): T {
  const variable = (name: string): unknown => {
    if (!(name in variables)) throw new Error(`no fixture {{${name}}}`)
    return variables[name]
  }
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") {
      const whole = /^\{\{(\w+)\}\}$/.exec(part)?.[1]
      if (whole !== undefined) return variable(whole)
      return part.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(variable(name)))
    }
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(value) as T
}
