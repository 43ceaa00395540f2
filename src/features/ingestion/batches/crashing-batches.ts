import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { BatchLog, BatchTransaction } from "./batch.types.js"

type Inserts = Pick<ClickHouse, "insert">

/** A batch log that dies between the steps of a batch. */
export const withCrashPoints = (log: BatchLog, crashPoints: CrashPoints): BatchLog => ({
  claim: async (shard) => {
    const batch = await log.claim(shard)
    if (batch !== null) crashPoints.hit("after-claim")
    return batch
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

const crashingTransaction = (transaction: BatchTransaction, crashPoints: CrashPoints): BatchTransaction => ({
  ...transaction,
  persons: {
    load: (lookups) => transaction.persons.load(lookups),
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
  finish: async (batch, counts) => {
    await transaction.finish(batch, counts)
    crashPoints.hit("before-commit")
  },
})
