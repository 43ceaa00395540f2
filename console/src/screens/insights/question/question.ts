import * as z from "zod/mini"
import { FILTER, PROPERTY } from "../../../filters/filter"
import type { RawSearch } from "../../../ui/search"

/** What can be asked, in the order of the tabs. */
export const KINDS = ["trends", "funnel", "retention", "paths", "stickiness", "lifecycle", "web"] as const
/** How the events of a series are counted. */
export const MATHS = [
  "TOTAL",
  "UNIQUE_ACTORS",
  "UNIQUE_SESSIONS",
  "WEEKLY_ACTIVE",
  "SUM",
  "AVG",
  "MEDIAN",
  "MAX",
] as const
export const INTERVALS = ["HOUR", "DAY", "WEEK", "MONTH"] as const
/** How a trend or a funnel is shown. */
const VIEWS = ["lines", "bars", "number", "table", "steps", "time"] as const
const SERIES = z.object({
  /** Name of the event; any event when absent. */
  event: z.optional(z.string()),
  math: z.optional(z.enum(MATHS)),
  /** The numeric property of events that a sum, average, median or largest value is made of. */
  mathProperty: z.optional(z.string()),
  where: z.optional(z.array(FILTER)),
})

const orNothing = <Type extends z.ZodMiniType>(type: Type) => z.catch(z.optional(type), undefined)

const QUESTION = z.object({
  kind: z.catch(z.enum(KINDS), "trends"),
  series: orNothing(z.array(SERIES)),
  where: orNothing(z.array(FILTER)),
  breakdown: orNothing(PROPERTY),
  /** As queries take it: `-30d`, `mStart`, or a day. */
  from: orNothing(z.string()),
  to: orNothing(z.string()),
  interval: orNothing(z.enum(INTERVALS)),
  view: orNothing(z.enum(VIEWS)),
  /** Calculates with the series by their letters: `A / B`. */
  formula: orNothing(z.string()),
  /** Whether the period before is asked for too. */
  compares: orNothing(z.boolean()),
  /** Days within which a funnel has to be gone through. */
  windowDays: orNothing(z.number()),
})

/** Events that are counted: a line of a trend, a step of a funnel. */
export type Series = z.infer<typeof SERIES>
/** What is asked of the project's events, as the address of the builder has it. */
export type Question = z.infer<typeof QUESTION>
export type Kind = Question["kind"]

/** Reads the question of an address or of a draft; what is none is left out. */
export const readQuestion = (search: unknown): Question => QUESTION.parse(search)

/** Reads what is changed of a saved question: all of it, or nothing. */
export const readEditedQuestion = ({ edited }: RawSearch): { readonly edited?: Question } => ({
  edited: edited === undefined ? undefined : readQuestion(edited),
})

/** The events that the question is about: at least one series, or two for what goes from one event to another. */
export function listSeries({ kind, series = [] }: Question): readonly Series[] {
  const least = kind === "funnel" || kind === "retention" ? 2 : 1
  const missing = Array.from({ length: Math.max(0, least - series.length) }, (): Series => ({}))
  return [...series, ...missing].slice(0, MOST_SERIES[kind])
}

/** How many series each kind has at most. */
export const MOST_SERIES: Readonly<Record<Kind, number>> = {
  trends: 10,
  funnel: 10,
  retention: 2,
  paths: 0,
  stickiness: 10,
  lifecycle: 1,
  web: 0,
}
