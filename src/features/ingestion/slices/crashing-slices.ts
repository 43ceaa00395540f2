import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { SliceLog, SliceTransaction } from "./slice.types.js"

type Inserts = Pick<ClickHouse, "insert">

/** A slice log that dies between the steps of a slice. */
export const withCrashPoints = (log: SliceLog, crashPoints: CrashPoints): SliceLog => ({
  claim: async (shard) => {
    const slice = await log.claim(shard)
    if (slice !== null) crashPoints.hit("after-claim")
    return slice
  },
  transaction: async (work) => {
    const result = await log.transaction((transaction) => work(crashingTransaction(transaction, crashPoints)))
    crashPoints.hit("after-commit")
    return result
  },
})

/** Inserts that die before and after the rows of events; copies of persons went before them. */
export const withCrashingInserts = (clickHouse: Inserts, crashPoints: CrashPoints): Inserts => ({
  insert: async (rows) => {
    if (rows.table === "events") crashPoints.hit("before-event-insert")
    await clickHouse.insert(rows)
    if (rows.table === "events") crashPoints.hit("after-event-insert")
  },
})

const crashingTransaction = (transaction: SliceTransaction, crashPoints: CrashPoints): SliceTransaction => ({
  ...transaction,
  persons: {
    load: (questions) => transaction.persons.load(questions),
    save: async (changes) => {
      crashPoints.hit("before-person-save")
      await transaction.persons.save(changes)
      crashPoints.hit("after-person-save")
    },
  },
  removeRows: async (rowIds) => {
    crashPoints.hit("before-delete")
    await transaction.removeRows(rowIds)
  },
  finish: async (slice, counts) => {
    await transaction.finish(slice, counts)
    crashPoints.hit("before-commit")
  },
})
