import { useQuery } from "urql"
import { useProject } from "../project/project"
import type { Property } from "./filter"
import { NAMES, PROPERTY_VALUES } from "./names.queries"
import { type Definition, type NameOwner, useDefinitions } from "./use-definitions"

/** A name with how often it came, and what people say of it. */
export interface CountedName {
  readonly name: string
  readonly count: number
  readonly definition?: Definition | undefined
}

const EVENTS = `SELECT event, count() AS events FROM events WHERE timestamp > now() - INTERVAL 90 DAY
  GROUP BY event ORDER BY events DESC LIMIT 1000`
/** Of the newest events only: a list of names needs no more, and comes at once. */
const EVENT_PROPERTIES = `SELECT arrayJoin(JSONExtractKeys(properties)) AS key, count() AS events
  FROM (SELECT properties FROM events WHERE {event} = '' OR event = {event} ORDER BY timestamp DESC LIMIT 1000)
  GROUP BY key ORDER BY events DESC LIMIT 1000`
const PERSON_PROPERTIES = `SELECT arrayJoin(JSONExtractKeys(properties)) AS key, count() AS people
  FROM (SELECT properties FROM persons LIMIT 1000) GROUP BY key ORDER BY people DESC LIMIT 1000`

interface Names {
  readonly names: readonly CountedName[]
  readonly isLoading: boolean
}

/** Asks for names that are not hidden; only once in a page for each question, because answers are kept. */
function useNames(of: NameOwner, hogql: string, values: Readonly<Record<string, string>>): Names {
  const { id } = useProject()
  const { definitions } = useDefinitions(of)
  const [{ data, fetching }] = useQuery({ query: NAMES, variables: { projectId: id, hogql, values } })
  const rows = data?.query?.__typename === "HogQLResult" ? data.query.rows : []
  return {
    names: rows
      .map((row) => ({
        name: String(row?.[0]),
        count: Number(row?.[1]),
        definition: definitions.get(String(row?.[0])),
      }))
      .filter(({ definition }) => definition?.isHidden !== true),
    isLoading: fetching,
  }
}

/** The events of the last 90 days, the most frequent first. */
export const useEventNames = (): Names => useNames("events", EVENTS, {})

/** The properties of an event, of any event when absent, or of persons; the most frequent first. */
export const usePropertyNames = (owner: Property["owner"], event = ""): Names =>
  useNames(owner, owner === "person" ? PERSON_PROPERTIES : EVENT_PROPERTIES, owner === "person" ? {} : { event })

/** The values that a property has most often, of those that contain what is typed. */
export function usePropertyValues({ owner, key }: Property, search: string, event?: string): readonly string[] {
  const { id } = useProject()
  const input = {
    key,
    search,
    subject: owner === "person" ? ("PERSON" as const) : ("EVENT" as const),
    events: event === undefined || owner === "person" ? undefined : [event],
  }
  const [{ data }] = useQuery({
    query: PROPERTY_VALUES,
    variables: { projectId: id, input },
    pause: key === "",
  })
  const values = data?.query?.__typename === "PropertyValuesResult" ? data.query.values : []
  return [...new Set(values.map(({ value }) => String(value)))]
}
