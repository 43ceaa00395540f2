import type { Query } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import type { RunScope } from "../../queries.types.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { correlationActors } from "./correlation-actors.js"
import { funnelActors } from "./funnel-actors.js"
import { lifecycleActors } from "./lifecycle-actors.js"
import { pathActors } from "./path-actors.js"
import type { PointActors } from "./point-actors.types.js"
import { retentionActors } from "./retention-actors.js"
import { stickinessActors } from "./stickiness-actors.js"
import { trendActors } from "./trend-actors.js"

const POINTS: Readonly<Record<string, PointActors>> = {
  TrendsQuery: trendActors,
  LifecycleQuery: lifecycleActors,
  StickinessQuery: stickinessActors,
  RetentionQuery: retentionActors,
  FunnelsQuery: funnelActors,
  PathsQuery: pathActors,
}

const SOURCES = {
  InsightActorsQuery: POINTS,
  FunnelsActorsQuery: { FunnelsQuery: funnelActors },
  FunnelCorrelationActorsQuery: { FunnelCorrelationQuery: correlationActors },
} satisfies Readonly<Record<string, Readonly<Record<string, PointActors>>>>

export const ACTOR_KINDS = ["InsightActorsQuery", "FunnelsActorsQuery", "FunnelCorrelationActorsQuery"] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]
/** Whether a query kind names the persons behind a point of an insight. */
export const isActorKind = (kind: string): kind is ActorKind => (ACTOR_KINDS as readonly string[]).includes(kind)

/** The persons that a query of one of these kinds names. */
export async function personsOf(
  reader: QueryReader,
  kind: ActorKind,
  runner: HogqlRunner,
  run: RunScope,
): Promise<Query> {
  const { source, actorsOf } = readInsight(reader, kind)
  return actorsOf(reader, source, runner, run)
}

/**
 * The insight that a query for persons is about.
 * @throws AppError parse_error
 */
export function readInsight(reader: QueryReader, kind: ActorKind) {
  const source = reader.object("source")
  const sources: Readonly<Record<string, PointActors>> = SOURCES[kind]
  const insight = source.requiredText("kind")
  const actorsOf = Object.hasOwn(sources, insight) ? sources[insight] : undefined
  if (actorsOf === undefined) throw source.fault("kind", `must be one of: ${Object.keys(sources).join(", ")}`)
  return { source, insight, actorsOf }
}
