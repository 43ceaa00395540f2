import type { Readable } from "node:stream"
import { FORMAT_SETTINGS } from "../../../backup/table-parts.js"
import { EVENT_ROWS, GROUP_ROWS, PERSON_ROWS, type RowKind, toSelect } from "../../../moving/export/exported-rows.js"
import { toRowFormat } from "../../../moving/export/row-format.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { ExportContent } from "../scheduled-exports.types.js"
import type { Cut, ExportAtWork, OpenRun } from "./export-runs.store.js"

/** Rows that a file has about; and bytes of their properties, which the engine sorts in memory. */
const ROWS_OF_FILE = 100_000
const BYTES_OF_FILE = 64 * 1024 * 1024
/** Of an event besides its properties, about. */
const BYTES_OF_EVENT = 300
/** Others are to notice little of it. */
const SETTINGS = { max_execution_time: 600, max_threads: 2 }

/** The rows of the tables themselves. */
const NOW = (table: string): string => table

interface Source {
  readonly rows: RowKind
  /** The rows of a cut, and their order, which is the same each time. */
  readonly condition: string
  readonly order: string
}

const SOURCES: Readonly<Record<ExportContent, Source>> = {
  events: {
    rows: EVENT_ROWS,
    condition: "AND e.batch > {after:UInt64} AND e.batch <= {until:UInt64}",
    order: "e.batch, e.batch_position",
  },
  persons: {
    rows: PERSON_ROWS,
    condition: "AND cityHash64(d.distinct_id) % {parts:UInt32} = {part:UInt32}",
    order: "d.distinct_id",
  },
  groups: {
    rows: GROUP_ROWS,
    condition: "AND cityHash64(g.group_key) % {parts:UInt32} = {part:UInt32}",
    order: "g.group_type_index, g.group_key",
  },
}

/** Where an interval of events ends: with the last batch that was stored within it. The index by batch finds new rows. */
const FIND_LAST = `SELECT max(batch) AS last FROM events
  WHERE project_id = {project:Int64} AND batch > {after:UInt64} AND batch <= {awaited:UInt64}
    AND inserted_at < fromUnixTimestamp64Milli({to:Int64})`
/** Whole batches, each of which is bounded, in files that end where a multiple of rows or bytes is passed. */
const CUT_EVENTS = `SELECT max(batch) AS until FROM (
  SELECT batch, intDiv(sum(rows) OVER before, ${ROWS_OF_FILE}) + intDiv(sum(bytes) OVER before, ${BYTES_OF_FILE}) AS file
    FROM (SELECT batch, count() AS rows,
                 sum(length(properties) + length(person_properties) + ${BYTES_OF_EVENT}) AS bytes
            FROM events WHERE project_id = {project:Int64} AND batch > {after:UInt64} AND batch <= {last:UInt64}
           GROUP BY batch)
  WINDOW before AS (ORDER BY batch ROWS UNBOUNDED PRECEDING)
) GROUP BY file ORDER BY until`

export type ExportedFiles = ReturnType<typeof createExportedFiles>

/** Cuts rows of an interval into files, and reads them, from the engine's tables. */
export function createExportedFiles(clickHouse: Pick<ClickHouse, "rows" | "stream">) {
  const count = async (sql: string, parameters: Readonly<Record<string, unknown>>): Promise<number> => {
    const [found] = await clickHouse.rows<{ rows: number }>({ sql, parameters, settings: SETTINGS })
    return found?.rows ?? 0
  }

  async function cutEvents({ projectId: project, afterBatch: after }: ExportAtWork, run: OpenRun): Promise<Cut[]> {
    const parameters = { project, after, awaited: run.awaitedBatch, to: run.intervalTo.getTime() }
    const [found] = await clickHouse.rows<{ last: number }>({ sql: FIND_LAST, parameters, settings: SETTINGS })
    const last = found?.last ?? 0
    if (last === 0) return []
    const ends = await clickHouse.rows<{ until: number }>({
      sql: CUT_EVENTS,
      parameters: { project, after, last },
      settings: SETTINGS,
    })
    return ends.map(({ until }, index) => ({ after: ends[index - 1]?.until ?? after, until }))
  }

  return {
    /** How rows are cut into files; none where there are no rows. */
    async cut(work: ExportAtWork, run: OpenRun): Promise<Cut[]> {
      if (work.content === "events") return cutEvents(work, run)
      const { rows } = SOURCES[work.content]
      const total = await count(`SELECT count() AS rows ${rows.from(NOW, "")}`, { project: work.projectId })
      const parts = Math.ceil(total / ROWS_OF_FILE)
      return Array.from({ length: parts }, (_, part) => ({ part, parts }))
    },

    /** The content of a file while it is made, and how many rows it has. */
    async open(
      { content, projectId: project, groupTypes }: ExportAtWork,
      { format: name }: OpenRun,
      cut: Cut,
      signal: AbortSignal,
    ): Promise<{ readonly rows: number; readonly content: Readable }> {
      const { rows: kind, condition, order } = SOURCES[content]
      const parameters = { project, ...cut }
      const rows = await count(`SELECT count() AS rows ${kind.from(NOW, condition)}`, parameters)
      const { format, toContent } = toRowFormat(name, Object.keys(kind.columns))
      const answer = await clickHouse.stream(
        {
          sql: `${toSelect(kind, NOW, condition)} ORDER BY ${order}`,
          parameters: content === "groups" ? { ...parameters, groupTypes } : parameters,
          settings: { ...SETTINGS, ...FORMAT_SETTINGS[format] },
          signal,
        },
        format,
      )
      return { rows, content: toContent(answer) }
    },
  }
}
