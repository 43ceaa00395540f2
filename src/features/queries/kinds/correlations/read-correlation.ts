import { type Expression, nodes, parseExpression, type Query } from "../../../../hogql/index.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, propertyField } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { type Journeys, readJourneys } from "./journeys.js"

const { array, call, compare, constant, field, tuple } = nodes

const TYPES = ["events", "properties", "event_with_properties"] as const
const EVERY_PROPERTY = "$all"
const MAX_NAMES = 200

/**
 * Reads a `FunnelCorrelationQuery`.
 * @throws AppError parse_error naming the field, HogqlError for filters that cannot be read.
 */
export async function readCorrelation(reader: QueryReader, context: KindContext) {
  const type = reader.choice("funnelCorrelationType", TYPES, "events")
  const journeys = await readJourneys(reader.object("source"), context)
  const selectTraits = {
    events: selectEventTraits,
    properties: selectPropertyTraits,
    event_with_properties: selectEventPropertyTraits,
  }[type]
  return {
    type,
    journeys,
    /** Rows `(actor, converted, name)`: the traits that may correlate with completing the funnel. */
    traits: selectTraits(reader, journeys),
  }
}

function selectEventTraits(reader: QueryReader, journeys: Journeys): Query {
  const isKept = notIn(field(["event"]), readNames(reader, "funnelCorrelationExcludeEventNames"))
  return selectEventsOnTheWay(journeys, field(["event"]), isKept)
}

function selectEventPropertyTraits(reader: QueryReader, journeys: Journeys): Query {
  const events = readNames(reader, "funnelCorrelationEventNames")
  if (events.length === 0) throw reader.fault("funnelCorrelationEventNames", "must name at least one event")
  const excluded = readNames(reader, "funnelCorrelationEventExcludePropertyNames")
  const isNamed = compare("in", field(["event"]), toTuple(events))
  const trait = parseExpression(`tuple(event, arrayJoin(${EVERY_PAIR}))`)
  return template(
    `SELECT actor, converted, concat(t.name.1, '::', t.name.2.1, '::', t.name.2.2) AS name
     FROM {traits} AS t WHERE {isKept}`,
    {
      traits: selectEventsOnTheWay(journeys, trait, isNamed),
      isKept: notIn(parseExpression("t.name.2.1"), excluded),
    },
  )
}

/** Properties of the persons, or groups, as they are now. */
function selectPropertyTraits(reader: QueryReader, { query, groupTypeIndex }: Journeys): Query {
  const wanted = readNames(reader, "funnelCorrelationNames")
  if (wanted.length === 0) throw reader.fault("funnelCorrelationNames", "must name at least one property, or $all")
  if (groupTypeIndex === undefined)
    throw reader.fault("funnelCorrelationType", "cannot be properties in a funnel of something that has none")
  const text = (name: string) => call("ifNull", [call("toString", [propertyField(name, null, null)]), constant("")])
  const named = array(wanted.map((name) => tuple([constant(name), text(name)])))
  const subjects =
    groupTypeIndex === null
      ? "SELECT id AS subject, {found} AS found FROM persons"
      : "SELECT key AS subject, {found} AS found FROM groups WHERE index = {group}"
  return template(
    `SELECT actor, converted, concat(trait.1, '::', trait.2) AS name
     FROM (
       SELECT j.actor AS actor, j.converted AS converted, arrayJoin(s.found) AS trait
       FROM {journeys} AS j INNER JOIN (${subjects}) AS s ON s.subject = j.actor
     ) WHERE {isKept}`,
    {
      journeys: query,
      found: wanted.includes(EVERY_PROPERTY) ? parseExpression(EVERY_PAIR) : named,
      group: constant(groupTypeIndex),
      isKept: notIn(parseExpression("trait.1"), readNames(reader, "funnelCorrelationExcludeNames")),
    },
  )
}

/** Events of the actors after they came into the funnel and before they got through it, steps left out. */
export function selectEventsOnTheWay({ funnel, query }: Journeys, name: Expression, condition: Expression): Query {
  const steps = [...new Set(funnel.steps.flatMap(({ event }) => (event === null ? [] : [event])))]
  return template(
    `SELECT j.actor AS actor, j.converted AS converted, e.name AS name
     FROM (SELECT {actor} AS actor, toUnixTimestamp64Micro(timestamp) AS time, {name} AS name FROM events WHERE {where}) AS e
     INNER JOIN {journeys} AS j ON e.actor = j.actor
     WHERE e.time > j.began AND e.time < j.ended`,
    {
      actor: funnel.actor,
      name,
      journeys: query,
      where: joinWithAnd([inRange(funnel.range), notIn(field(["event"]), steps), condition]),
    },
  )
}

/** Every property of a row as pairs of texts. */
const EVERY_PAIR = `arrayMap(
  p -> tuple(p.1, multiIf(startsWith(p.2, '"'), JSONExtractString(p.2), p.2 = 'null', '', p.2)),
  JSONExtractKeysAndValuesRaw(properties)
)`

const readNames = (reader: QueryReader, name: string): string[] => reader.strings(name, { max: MAX_NAMES }) ?? []
const toTuple = (values: readonly string[]): Expression => tuple(values.map((value) => constant(value)))
const notIn = (subject: Expression, values: readonly string[]): Expression =>
  values.length === 0 ? constant(true) : compare("not in", subject, toTuple(values))
