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

const RUN_QUERY = `query Run($input: QueryInput!) {
  query(input: $input) {
    ... on HogQLResult {
      columns {
        name
      }
      rows
    }
    ... on TrendsResult {
      series {
        label
        total
        points {
          day
          value
        }
      }
    }
    ... on FunnelResult {
      groups {
        breakdown
        steps {
          name
          count
        }
      }
    }
    ... on RetentionResult {
      matrix {
        date
        values {
          label
          count
        }
      }
    }
    ... on QueryRun {
      queryId
      state
    }
  }
}
`

/** An example of a query. */
const asked = (title: string, note: string, input: object): Example => ({
  field: ["query", "query"],
  title,
  note,
  operation: RUN_QUERY,
  variables: { input },
  isDrawn: true,
})

/** A query for the first page of a list. */
const listOf = (field: string, columns: readonly string[]): string =>
  `{\n  ${field}(first: 10) {\n    nodes {\n      ${columns.join("\n      ")}\n    }\n  }\n}\n`

export const EXAMPLES: readonly Example[] = [
  asked("Run a HogQL query", "Events by name, as a table.", {
    hogql: { query: "SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC" },
  }),
  asked("Draw a trend", "Page views of two weeks, a line for each browser.", {
    trends: {
      series: [{ event: "$pageview" }],
      breakdown: { properties: [{ key: "$browser" }] },
      dates: { from: "-14d" },
    },
  }),
  asked("Draw a funnel", "Who goes on from a page view to a click.", {
    funnel: { steps: [{ event: "$pageview" }, { event: "$autocapture" }], dates: { from: "-30d" } },
  }),
  asked("Draw retention", "Who comes back in the days after the first visit.", {
    retention: {
      period: "DAY",
      intervalCount: 8,
      target: { event: "$pageview" },
      returning: { event: "$pageview" },
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
