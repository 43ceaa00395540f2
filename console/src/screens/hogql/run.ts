import type { TextFault } from "../../editor/hogql-editor"
import type { RunHogqlSubscription } from "../../graph/generated/graphql"

type Outcome = RunHogqlSubscription["query"]

/** The rows that a text came to. */
export type HogqlResult = Extract<Outcome, { readonly __typename: "HogQLResult" }>

/** How far a run is. */
export interface Progress {
  readonly percentage: number | null
  readonly rowsRead: number
  readonly elapsedMs: number
}

/** What is known of the text that was run last. */
export interface Run {
  /** The last rows; they stay while newer ones are calculated. */
  readonly result: HogqlResult | null
  /** Present while it runs. */
  readonly progress: Progress | null
  /** Why it came to nothing, and where in the whole text that is; 0 and 0 where that is not known. */
  readonly fault: TextFault | null
  readonly isCancelled: boolean
}

export const NO_RUN: Run = { result: null, progress: null, fault: null, isCancelled: false }

/** A run that has just been started; the result before it stays in sight until there is another. */
export const begin = ({ result }: Run): Run => ({
  result,
  progress: { percentage: null, rowsRead: 0, elapsedMs: 0 },
  fault: null,
  isCancelled: false,
})

/** Ends it with a fault, whose place is counted from `from`, where the part that was run begins. */
export const fail = (message: string, from: number, start?: number | null, end?: number | null): Run => ({
  ...NO_RUN,
  fault: {
    message,
    start: typeof start === "number" ? start + from : 0,
    end: typeof end === "number" ? end + from : 0,
  },
})

/** What is known after one more message of the run. */
export function toNext(last: Run, outcome: Outcome, from: number): Run {
  if (outcome.__typename === "HogQLResult") return { ...NO_RUN, result: outcome }
  if (outcome.__typename !== "QueryRun") return last
  const { state, error, errorMessage, progress } = outcome
  if (state === "CANCELLED") return { ...NO_RUN, result: last.result, isCancelled: true }
  if (state === "FAILED") return fail(error?.message ?? errorMessage ?? "It failed.", from, error?.start, error?.end)
  return progress === null ? last : { ...last, progress }
}
