import * as z from "zod/mini"
import { type Filter, readStoredFilters } from "../../../filters/filter"
import { INTERVALS, type Kind, MATHS, type Question, type Series } from "./question"

const NODE = z.object({
  kind: z.optional(z.literal("EventsNode")),
  event: z.optional(z.nullable(z.string())),
  math: z.optional(z.string()),
  math_property: z.optional(z.string()),
  properties: z.optional(z.unknown()),
})
const ENTITY = z.object({
  type: z.optional(z.literal("events")),
  id: z.optional(z.nullable(z.string())),
  properties: z.optional(z.unknown()),
})
const nullish = <Type extends z.ZodMiniType>(type: Type) => z.optional(z.nullable(type))

/** A query as it is stored, in the words of REST, as far as the builder makes them. */
const STORED = z.object({
  kind: z.string(),
  series: nullish(z.array(NODE)),
  properties: z.optional(z.unknown()),
  dateRange: nullish(z.object({ date_from: nullish(z.string()), date_to: nullish(z.string()) })),
  interval: nullish(z.string()),
  breakdownFilter: nullish(z.object({ breakdown: nullish(z.string()), breakdown_type: nullish(z.string()) })),
  compareFilter: nullish(z.object({ compare: nullish(z.boolean()) })),
  trendsFilter: nullish(
    z.object({ display: nullish(z.string()), formulaNodes: nullish(z.array(z.object({ formula: z.string() }))) }),
  ),
  funnelsFilter: nullish(z.object({ funnelVizType: nullish(z.string()), funnelWindowInterval: nullish(z.number()) })),
  retentionFilter: nullish(
    z.object({ period: nullish(z.string()), targetEntity: nullish(ENTITY), returningEntity: nullish(ENTITY) }),
  ),
})
type Stored = z.infer<typeof STORED>

const KIND_OF: Readonly<Record<string, Kind>> = {
  TrendsQuery: "trends",
  FunnelsQuery: "funnel",
  RetentionQuery: "retention",
  PathsQuery: "paths",
  StickinessQuery: "stickiness",
  LifecycleQuery: "lifecycle",
  WebOverviewQuery: "web",
}
const MATH_OF: Readonly<Record<string, (typeof MATHS)[number]>> = {
  dau: "UNIQUE_ACTORS",
  unique_session: "UNIQUE_SESSIONS",
}

const findInterval = (word: string | null | undefined) =>
  INTERVALS.find((one) => one.toLowerCase() === word?.toLowerCase())

const findMath = (word: string) => MATH_OF[word] ?? MATHS.find((one) => one.toLowerCase() === word)

/** Absent rather than empty, as in an address. */
const orAbsent = (filters: Filter[]): Filter[] | undefined => (filters.length === 0 ? undefined : filters)

/** Null when it counts in a way, or by a condition, that the builder does not have. */
function readSeries({ event, math = "total", math_property, properties }: z.infer<typeof NODE>): Series | null {
  const where = readStoredFilters(properties)
  const known = findMath(math)
  if (where === null || known === undefined) return null
  return { event: event ?? undefined, math: known, mathProperty: math_property, where: orAbsent(where) }
}

function listNodes({ series, retentionFilter }: Stored): readonly z.infer<typeof NODE>[] {
  if (!retentionFilter) return series ?? []
  const { targetEntity, returningEntity } = retentionFilter
  return [targetEntity, returningEntity].map((entity) => ({ event: entity?.id, properties: entity?.properties }))
}

function readView({ trendsFilter, funnelsFilter, breakdownFilter, series }: Stored): Question["view"] {
  if (funnelsFilter?.funnelVizType === "time_to_convert") return "time"
  if (trendsFilter?.display !== "BoldNumber") return undefined
  return breakdownFilter?.breakdown || (series?.length ?? 0) > 1 ? "bars" : "number"
}

/** The question that a stored query answers; null when the builder cannot ask it. */
export function readStoredQuestion(query: unknown): Question | null {
  const read = z.safeParse(STORED, query)
  const kind = read.success ? KIND_OF[read.data.kind] : undefined
  if (!read.success || kind === undefined) return null
  const stored = read.data
  const where = readStoredFilters(stored.properties)
  const series = listNodes(stored).map(readSeries)
  if (where === null || !series.every((one) => one !== null)) return null
  const { breakdown, breakdown_type } = stored.breakdownFilter ?? {}
  return {
    kind,
    series: series.length === 0 ? undefined : series,
    where: orAbsent(where),
    breakdown: breakdown ? { key: breakdown, owner: breakdown_type === "person" ? "person" : "event" } : undefined,
    from: stored.dateRange?.date_from ?? undefined,
    to: stored.dateRange?.date_to ?? undefined,
    interval: findInterval(stored.interval ?? stored.retentionFilter?.period),
    view: readView(stored),
    formula: stored.trendsFilter?.formulaNodes?.[0]?.formula,
    compares: stored.compareFilter?.compare || undefined,
    windowDays: stored.funnelsFilter?.funnelWindowInterval ?? undefined,
  }
}
