/** An operation to begin with. */
export interface Example {
  /** The root field that it asks; where the schema lacks that, the example is left out. */
  readonly field: readonly ["query" | "mutation", string]
  readonly title: string
  readonly note: string
  readonly operation: string
  readonly variables?: object
  /** Whether its result is worth a picture. */
  readonly isDrawn?: boolean
}

const RUN_QUERY = `mutation Run($input: RunQueryInput!) {
  runQuery(input: $input) {
    answer
    userErrors {
      field
      message
    }
  }
}
`

/** An example of a query as REST knows it. */
const asked = (title: string, note: string, query: object): Example => ({
  field: ["mutation", "runQuery"],
  title,
  note,
  operation: RUN_QUERY,
  variables: { input: { query } },
  isDrawn: true,
})

/** A query for the first page of a list. */
const listOf = (field: string, columns: readonly string[]): string =>
  `{\n  ${field}(first: 10) {\n    nodes {\n      ${columns.join("\n      ")}\n    }\n  }\n}\n`

export const EXAMPLES: readonly Example[] = [
  asked("Run a HogQL query", "Events by name, as a table.", {
    kind: "HogQLQuery",
    query: "SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC",
  }),
  asked("Draw a trend", "Events of two weeks, a line for each name.", {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: null }],
    breakdownFilter: { breakdown: "event", breakdown_type: "hogql" },
    dateRange: { date_from: "-14d" },
  }),
  asked("Draw retention", "Who comes back in the days after the first visit.", {
    kind: "RetentionQuery",
    retentionFilter: {
      period: "Day",
      totalIntervals: 8,
      targetEntity: { id: "$pageview", type: "events" },
      returningEntity: { id: "$pageview", type: "events" },
    },
  }),
  {
    field: ["query", "persons"],
    title: "List persons",
    note: "A page of people with their properties.",
    operation:
      "{\n  persons(first: 10) {\n    nodes {\n      name\n      distinctIds\n      createdAt\n    }\n  }\n}\n",
    isDrawn: true,
  },
  {
    field: ["query", "featureFlags"],
    title: "List feature flags",
    note: "Their keys and whether they are active.",
    operation: listOf("featureFlags", ["key", "name", "active"]),
    isDrawn: true,
  },
  {
    field: ["query", "sessionRecordings"],
    title: "List recordings",
    note: "The newest sessions with their counters.",
    operation: listOf("sessionRecordings", ["id", "startTime", "recordingDuration", "clickCount"]),
    isDrawn: true,
  },
]
