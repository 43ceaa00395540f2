import type { Pool } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { createPeriodicTask, type PeriodicTask } from "../../../kernel/periodic-task.js"
import { SPARE_COUNT_COLUMN, toSpareColumn } from "../../../kernel/property-columns.js"
import type { ClickHouse, QueryParameters } from "../../../platform/clickhouse/click-house.js"
import { updateRows } from "../../../platform/clickhouse/mutate-rows.js"
import type { Logger } from "../../../platform/logger/logger.js"
import { listSettledSpares } from "./property-spare.store.js"

export interface SpareFillDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "rows" | "command">
  readonly clock: Clock
  readonly logger: Logger
}

export interface SpareFill extends PeriodicTask {
  /**
   * Takes the next step: has the engine fill one month of one project, or waits on while it does.
   * @returns whether nothing is left to fill.
   */
  fill(): Promise<boolean>
}

const STEP_EVERY_MS = 10_000
/** Until then batches may be stored whose writer did not know the column yet. */
const SETTLED_AFTER_MS = 600_000
const HAS_FEWER = `project_id = {project:Int64} AND ${SPARE_COUNT_COLUMN} < {count:UInt8}`
const FIND_MONTH = `SELECT max(toYYYYMM(timestamp)) AS month FROM events WHERE ${HAS_FEWER}`

/**
 * Fills the spare columns of events that were stored before their project had them, the newest months first. Rows say
 * themselves how many columns they have, so that nothing is noted: what was begun by another process, or before a
 * crash, is found as it is.
 */
export function createSpareFill({ pool, clickHouse, clock, logger }: SpareFillDependencies): SpareFill {
  /** How many columns all events of a project had when this process looked. */
  const filled = new Map<ProjectId, number>()
  let isFailing = false

  async function fillMonth(projectId: ProjectId, names: readonly string[]): Promise<boolean> {
    const rows = { project: projectId, count: names.length }
    const [found] = await clickHouse.rows<{ month: number }>({ sql: FIND_MONTH, parameters: rows })
    const month = Number(found?.month ?? 0)
    if (month === 0) {
      filled.set(projectId, names.length)
      return true
    }
    await updateRows(
      clickHouse,
      {
        table: "events",
        condition: `${HAS_FEWER} AND toYYYYMM(timestamp) = {month:UInt32}`,
        parameters: { ...rows, ...toNameParameters(names), month },
        name: `${names.length} spare columns of project ${projectId} in ${month}`,
      },
      toAssignments(names),
    )
    return false
  }

  async function fill(): Promise<boolean> {
    const projects = await listSettledSpares(pool, new Date(clock.now() - SETTLED_AFTER_MS))
    for (const [projectId, names] of projects)
      if (filled.get(projectId) !== names.length && !(await fillMonth(projectId, names))) return false
    return true
  }

  const steps = createPeriodicTask(STEP_EVERY_MS, async () => {
    try {
      await fill()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn("spare columns of earlier events are filled later", { err: error })
      isFailing = true
    }
  })
  return { fill, ...steps }
}

const toNameParameters = (names: readonly string[]): QueryParameters =>
  Object.fromEntries(names.map((name, index) => [`name_${index + 1}`, name]))

/** Exactly what a query reads out of the text (`read-spares-apart.ts`), and how many columns the row has then. */
const toAssignments = (names: readonly string[]): string =>
  [
    ...names.map(
      (_, index) =>
        `${toSpareColumn(index + 1)} = JSONExtract(properties, {name_${index + 1}:String}, 'Nullable(String)')`,
    ),
    `${SPARE_COUNT_COLUMN} = {count:UInt8}`,
  ].join(", ")
