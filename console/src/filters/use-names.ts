import { useQuery } from "urql"
import { useProject } from "../project/project"
import type { Property } from "./filter"
import { NAMES, PROPERTY_VALUES } from "./names.queries"

/** A name with how often it came. */
export interface CountedName {
  readonly name: string
  readonly count: number
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

/** Asks for names; only once in a page for each question, because answers are kept. */
function useNames(hogql: string, values: Readonly<Record<string, string>>): Names {
  const { id } = useProject()
  const [{ data, fetching }] = useQuery({ query: NAMES, variables: { projectId: id, hogql, values } })
  const rows = data?.query?.__typename === "HogQLResult" ? data.query.rows : []
  return {
    names: rows.map((row) => ({ name: String(row?.[0]), count: Number(row?.[1]) })),
    isLoading: fetching,
  }
}

/** The events of the last 90 days, the most frequent first. */
export const useEventNames = (): Names => useNames(EVENTS, {})

/** The properties of an event, of any event when absent, or of persons; the most frequent first. */
export const usePropertyNames = (owner: Property["owner"], event = ""): Names =>
  useNames(owner === "person" ? PERSON_PROPERTIES : EVENT_PROPERTIES, owner === "person" ? {} : { event })

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
