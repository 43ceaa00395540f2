import type { Query } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { refuseOptions } from "../../insights/refusals.js"
import type { KindContext } from "../kind-context.js"
import { correlationActors } from "./correlation-actors.js"
import { funnelActors } from "./funnel-actors.js"
import { lifecycleActors } from "./lifecycle-actors.js"
import { pathActors } from "./path-actors.js"
import type { PointActors } from "./point-actors.js"
import { retentionActors } from "./retention-actors.js"
import { stickinessActors } from "./stickiness-actors.js"
import { trendActors } from "./trend-actors.js"

/** Kinds that select the persons behind a point of an insight, with the insights that each supports. */
const SOURCES = {
  InsightActorsQuery: {
    TrendsQuery: trendActors,
    LifecycleQuery: lifecycleActors,
    StickinessQuery: stickinessActors,
    RetentionQuery: retentionActors,
    FunnelsQuery: funnelActors,
    PathsQuery: pathActors,
  },
  StickinessActorsQuery: { StickinessQuery: stickinessActors },
  FunnelsActorsQuery: { FunnelsQuery: funnelActors },
  FunnelCorrelationActorsQuery: { FunnelCorrelationQuery: correlationActors },
} satisfies Readonly<Record<string, Readonly<Record<string, PointActors>>>>

export type ActorKind = keyof typeof SOURCES
export const ACTOR_KINDS: readonly ActorKind[] = [
  "InsightActorsQuery",
  "FunnelsActorsQuery",
  "FunnelCorrelationActorsQuery",
  "StickinessActorsQuery",
]

/** The `kind` of a query that names persons. @param others kinds that may stand there besides */
export function readActorKind(reader: QueryReader, others: readonly string[] = []): ActorKind {
  const written = reader.requiredText("kind")
  const kind = ACTOR_KINDS.find((known) => known === written)
  if (kind === undefined) throw reader.fault("kind", `must be one of: ${[...others, ...ACTOR_KINDS].join(", ")}`)
  return kind
}

/** The persons that a query of one of these kinds names. */
export async function selectPersons(reader: QueryReader, kind: ActorKind, context: KindContext): Promise<Query> {
  refuseOptions(reader, { includeRecordings: false })
  const { source, selectActors } = readInsight(reader, kind)
  return selectActors(reader, source, context)
}

/**
 * The insight that a query for persons is about.
 * @throws AppError parse_error
 */
export function readInsight(reader: QueryReader, kind: ActorKind) {
  const source = reader.object("source")
  const sources: Readonly<Record<string, PointActors>> = SOURCES[kind]
  const insight = source.requiredText("kind")
  const selectActors = Object.hasOwn(sources, insight) ? sources[insight] : undefined
  if (selectActors === undefined) throw source.fault("kind", `must be one of: ${Object.keys(sources).join(", ")}`)
  return { source, insight, selectActors }
}
