import { graphql } from "../graph/graphql"

/** What pictures need of the result of a query, of each kind that has one. */
export const RESULT_PARTS = graphql(`
  fragment ResultParts on QueryResult {
    __typename
    ... on QueryAnswer {
      hogql
      warnings
    }
    ... on TrendsResult {
      trends: series {
        label
        breakdown
        isOther
        period
        total
        series {
          order
        }
        points {
          day
          label
          value
        }
      }
    }
    ... on FunnelResult {
      groups {
        breakdown
        steps {
          order
          name
          count
          percentOfFirst
          percentOfPrevious
          medianSeconds
        }
      }
      timeToConvert {
        averageSeconds
        bins {
          fromSeconds
          count
        }
      }
    }
    ... on RetentionResult {
      matrix {
        date
        label
        breakdown
        values {
          label
          count
        }
      }
    }
    ... on PathsResult {
      links {
        count
        averageSeconds
        source {
          key
          item
          step
        }
        target {
          key
          item
          step
        }
      }
    }
    ... on StickinessResult {
      stickiness: series {
        label
        total
        series {
          order
        }
        points {
          intervals
          label
          actors
        }
      }
    }
    ... on LifecycleResult {
      lifecycle: series {
        label
        status
        total
        points {
          day
          label
          value
        }
      }
    }
    ... on WebOverviewResult {
      items {
        key
        unit
        current
        previous
        changePercent
        isIncreaseBad
      }
    }
    ... on HogQLResult {
      columns {
        name
      }
      rows
    }
    ... on QueryRun {
      state
      errorMessage
      progress {
        percentage
        rowsRead
      }
    }
  }
`)
