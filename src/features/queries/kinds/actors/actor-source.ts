import { type Expression, nodes, parse, type Query, type TableSource } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { readActorKind, selectPersons } from "./insight-actors.js"

const { compare, field, source } = nodes

/** Whom an `ActorsQuery` is about. */
export interface ActorSource {
  /** Joined to the persons, so that columns of the source can be shown and ordered by. */
  readonly joins: readonly TableSource[]
  readonly condition: Expression | null
  /** The actors of an insight, as column `actor_id`; null for those of a text. */
  readonly query: Query | null
}

const SOURCE = "source"

/** `source` of an `ActorsQuery`: HogQL whose first column are persons' ids, or a point of an insight; null without one. */
export async function readActorSource(reader: QueryReader, context: KindContext): Promise<ActorSource | null> {
  if (reader.value("source") === null) return null
  const given = reader.object("source")
  if (given.requiredText("kind") === "HogQLQuery") {
    if (given.flag("explain")) throw given.fault("explain", "has no effect in a source")
    const ids = parse(given.requiredText("query"))
    return { joins: [], condition: compare("in", field(["id"]), ids), query: null }
  }
  const query = await selectPersons(given, readActorKind(given, ["HogQLQuery"]), context)
  const join = { type: "INNER", strictness: null } as const
  const on = compare("==", field(["persons", "id"]), field([SOURCE, "actor_id"]))
  return { joins: [source(query, { alias: SOURCE, join, on })], condition: null, query }
}

/** How many of an insight's actors are not among the persons any more. */
export async function countMissing(actors: ActorSource | null, context: KindContext): Promise<number> {
  if (actors?.query == null) return 0
  const { rows } = await context.select(
    template("SELECT uniqExact(actor_id) FROM {query} WHERE actor_id NOT IN (SELECT id FROM persons)", {
      query: actors.query,
    }),
  )
  return Number(rows[0]?.[0] ?? 0)
}
