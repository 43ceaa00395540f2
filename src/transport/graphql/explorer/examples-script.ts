/** Operations to begin with; those whose root field the schema lacks are left out. */
export const EXAMPLES_SCRIPT = String.raw`
import { operationFor } from "./schema.js"

const EXAMPLES = [
  {
    field: ["mutation", "runQuery"],
    title: "Run a query",
    note: "HogQL over events; the answer has columns and results.",
    query: "mutation RunQuery($input: QueryInput!) {\n  runQuery(input: $input)\n}\n",
    variables: {
      input: {
        query: { kind: "HogQLQuery", query: "SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC" },
      },
    },
  },
  {
    field: ["mutation", "runQuery"],
    title: "Draw a trend",
    note: "Events of two weeks, a line for each name.",
    query: "mutation Trend($input: QueryInput!) {\n  runQuery(input: $input)\n}\n",
    variables: {
      input: {
        query: {
          kind: "TrendsQuery",
          series: [{ kind: "EventsNode", event: null }],
          breakdownFilter: { breakdown: "event", breakdown_type: "hogql" },
          dateRange: { date_from: "-14d" },
        },
      },
    },
  },
  {
    field: ["mutation", "runQuery"],
    title: "Draw retention",
    note: "Who comes back in the days after the first visit.",
    query: "mutation Retention($input: QueryInput!) {\n  runQuery(input: $input)\n}\n",
    variables: {
      input: {
        query: {
          kind: "RetentionQuery",
          retentionFilter: {
            period: "Day",
            totalIntervals: 8,
            targetEntity: { id: "$pageview", type: "events" },
            returningEntity: { id: "$pageview", type: "events" },
          },
        },
      },
    },
  },
  {
    field: ["mutation", "runQuery"],
    title: "Start a query in the background",
    note: "Give it an id, then follow it with the next example.",
    query: "mutation StartQuery($input: QueryInput!) {\n  runQuery(input: $input)\n}\n",
    variables: {
      input: {
        query: { kind: "HogQLQuery", query: "SELECT toStartOfDay(timestamp) AS day, count() FROM events GROUP BY day ORDER BY day" },
        refresh: "force_async",
        clientQueryId: "my-first-query",
      },
    },
  },
  {
    field: ["subscription", "queryStatus"],
    title: "Follow a query live",
    note: "A subscription: the present state first, then each change.",
    query: 'subscription FollowQuery {\n  queryStatus(id: "my-first-query") {\n    state\n    progress {\n      percentage\n      rowsRead\n    }\n    errorMessage\n    answer\n  }\n}\n',
  },
  { field: ["query", "me"], title: "Who am I", note: "The user and scopes of the key." },
  { field: ["query", "projects"], title: "Projects", note: "Their numbers and project keys." },
  { field: ["query", "persons"], title: "Persons", note: "A page of people with their properties." },
  { field: ["query", "sessionRecordingPlaylists"], title: "Playlists", note: "A page of playlists, newest change first." },
  { field: ["mutation", "createSessionRecordingPlaylist"], title: "Create a playlist", note: "Needs the write scope." },
  { field: ["query", "sessionRecordings"], title: "Session recordings", note: "A page of recordings with their counters." },
  { field: ["query", "featureFlags"], title: "Feature flags", note: "A page of flags with their conditions." },
]

/** The examples whose root field the schema has, each with an operation and variables. */
export function examplesFor(schema) {
  return EXAMPLES.filter(({ field }) => schema.hasRootField(field[0], field[1])).map((example) => {
    if (example.query) return example
    const [kind, name] = example.field
    return { ...example, ...operationFor(schema, kind, schema.field(schema.roots[kind], name)) }
  })
}
`
