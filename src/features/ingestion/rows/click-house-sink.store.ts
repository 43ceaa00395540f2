import { createHash } from "node:crypto"
import type { CrashPoints } from "../../../kernel/crash-points.js"
import { AppError } from "../../../kernel/errors.js"
import {
  type ClickHouse,
  EngineError,
  type FieldInsert,
  type Insert,
} from "../../../platform/clickhouse/click-house.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { RecordingInsert } from "../../recordings/index.js"
import type { BatchSink, RefusedRow } from "./batch-sink.types.js"
import { EVENT_COLUMNS } from "./event-row.js"
import { type EventRow, type EventRowBlock, readRows, toRowBlocks, toRowBytes } from "./event-rows.js"
import { COPY_COLUMNS, type PersonRows } from "./person-rows.js"
import { SPARE_COLUMNS } from "./spare-fields.js"

/** The engine refuses an insert that touches more than 100 partitions; an import of old data may. */
const MAX_MONTHS_PER_INSERT = 90
const RETRY_AFTER_SECONDS = 2

/**
 * Error codes that say nothing about the rows: the same insert succeeds once there is room again, or an operator has repaired the
 * server. `toEngineFault` knows of more codes, with which a server says that it cannot serve at all.
 */
const TRANSIENT_REFUSALS: ReadonlySet<number> = new Set([
  16, // NO_SUCH_COLUMN_IN_TABLE: a server of an older version, whose tables are migrated later
  60, // UNKNOWN_TABLE
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76, // CANNOT_OPEN_FILE
  81, // UNKNOWN_DATABASE
  159, // TIMEOUT_EXCEEDED
  164, // READONLY
  173, // CANNOT_ALLOCATE_MEMORY
  192, // UNKNOWN_USER
  193, // WRONG_PASSWORD
  194, // REQUIRED_PASSWORD
  201, // QUOTA_EXCEEDED
  204, // CANNOT_FSYNC
  218, // TABLE_IS_DROPPED
  241, // MEMORY_LIMIT_EXCEEDED
  394, // QUERY_WAS_CANCELLED
  396, // TOO_MANY_ROWS_OR_BYTES
  497, // ACCESS_DENIED
  516, // AUTHENTICATION_FAILED
  745, // SERVER_OVERLOADED
])

interface Row {
  readonly position: number
  readonly text: string
}

/** Where rows of fields go; rows of other tables are JSON. */
type FieldTarget = Pick<FieldInsert, "table" | "columns">
type Target = FieldTarget | Pick<Insert, "table">

const EVENTS: FieldTarget = { table: "events", columns: [...EVENT_COLUMNS, ...SPARE_COLUMNS] }

/** ClickHouse as a sink. The inserts of a batch are ordered so that a query at any moment finds each event's person. */
export class ClickHouseSink implements BatchSink {
  constructor(
    private readonly clickHouse: Pick<ClickHouse, "insert">,
    private readonly logger: Logger,
    /** Null in every process that is not made to die. */
    private readonly crashPoints: CrashPoints | null = null,
  ) {}

  /**
   * Order: living persons, then ids and overrides, then tombstones, then events. At any moment between two inserts every
   * stored event resolves to a living person: before the override insert to the old one, which has no tombstone yet, after it
   * to the surviving one, whose row came first. All overrides are one insert, so a merge shows at once or not at all.
   */
  async write(token: string, persons: PersonRows, events: readonly EventRowBlock[]): Promise<RefusedRow[]> {
    await this.insertCopies("groups", persons.groups)
    await this.insertCopies("persons", persons.livePersons)
    await this.insertCopies("person_distinct_ids", persons.distinctIds)
    await this.insertCopies("person_distinct_id_overrides", persons.overrides)
    await this.insertCopies("persons", persons.tombstones)
    const refused: RefusedRow[] = []
    for (const [index, blocks] of splitByMonth(events).entries())
      refused.push(...(await this.insertEvents(blocks, index === 0 ? token : `${token}+${index}`)))
    return refused
  }

  async writeSnapshots(token: string, inserts: readonly RecordingInsert[]): Promise<RefusedRow[]> {
    const refused = new Map<number, RefusedRow>()
    for (const [index, { table, rows }] of inserts.entries()) {
      // Rows made of messages that were refused before would describe something that is not there.
      const wanted = rows.filter(({ position }) => !refused.has(position))
      // Several rows may have one position, so the tokens of the halves of a refused insert name row numbers.
      const numbered = wanted.map(({ json }, position) => ({ text: json, position }))
      for (const { position: number, reason } of await this.insertSplitting(
        { table },
        numbered,
        `${token}/${table}+${index}`,
      )) {
        const position = wanted[number]?.position
        if (position !== undefined) refused.set(position, { position, reason })
      }
    }
    return [...refused.values()]
  }

  /**
   * Copies carry versions, so storing one twice is harmless. Their token is made from their content: should a replay find
   * something else (a person was deleted in between), the new version must not be taken for a repetition.
   */
  private async insertCopies(table: keyof typeof COPY_COLUMNS, rows: readonly string[]): Promise<void> {
    const digest = createHash("sha1")
    for (const row of rows) digest.update(row)
    const numbered = rows.map((text, position) => ({ text, position }))
    const target = { table, columns: COPY_COLUMNS[table] }
    for (const { position, reason } of await this.insertSplitting(target, numbered, digest.digest("hex"))) {
      // What else is in the row belongs to a person, who may want to be forgotten.
      const projectId = rows[position]?.split("\t", 1)[0]
      this.logger.error("the engine refused a copy of a row; PostgreSQL has it", { table, reason, projectId })
    }
  }

  private async insertEvents(blocks: readonly EventRowBlock[], token: string): Promise<RefusedRow[]> {
    try {
      this.crashPoints?.hit("before-event-insert")
      await this.insert({ ...EVENTS, blocks: blocks.map(({ bytes }) => bytes), deduplicationToken: token })
      this.crashPoints?.hit("after-event-insert")
      return []
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return this.insertHalves(EVENTS, blocks.flatMap(readRows), token, error)
    }
  }

  private async insertSplitting(target: Target, rows: readonly Row[], token: string): Promise<RefusedRow[]> {
    if (rows.length === 0) return []
    try {
      await this.insert(toInsert(target, rows, token))
      return []
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return this.insertHalves(target, rows, token, error)
    }
  }

  /** A refused insert stored nothing, because it is one block; its halves have tokens of their own, the same at every replay. */
  private async insertHalves(
    target: Target,
    rows: readonly Row[],
    token: string,
    { message }: EngineError,
  ): Promise<RefusedRow[]> {
    const [only] = rows
    if (rows.length === 1 && only !== undefined) return [{ position: only.position, reason: message }]
    const middle = rows.length >> 1
    const refused: RefusedRow[] = []
    for (const half of [rows.slice(0, middle), rows.slice(middle)])
      refused.push(
        ...(await this.insertSplitting(target, half, `${token}:${half[0]?.position}-${half.at(-1)?.position}`)),
      )
    return refused
  }

  private async insert(insert: Insert): Promise<void> {
    try {
      await this.clickHouse.insert(insert)
    } catch (error) {
      if (!(error instanceof EngineError) || !TRANSIENT_REFUSALS.has(error.engineCode)) throw error
      throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    }
  }
}

function toInsert(target: Target, rows: readonly Row[], deduplicationToken: string): Insert {
  const texts = rows.map(({ text }) => text)
  return "columns" in target
    ? { ...target, blocks: [toRowBytes(texts)], deduplicationToken }
    : { ...target, rows: texts, deduplicationToken }
}

/** Rows in inserts of at most 90 partitions each; nearly always one insert with the rows as they are. */
function splitByMonth(blocks: readonly EventRowBlock[]): (readonly EventRowBlock[])[] {
  if (blocks.length === 0) return []
  const months = [...new Set(blocks.flatMap((block) => block.months))].sort()
  if (months.length <= MAX_MONTHS_PER_INSERT) return [blocks]
  const inserts: EventRow[][] = Array.from({ length: Math.ceil(months.length / MAX_MONTHS_PER_INSERT) }, () => [])
  for (const row of blocks.flatMap(readRows))
    inserts[Math.floor(months.indexOf(row.month) / MAX_MONTHS_PER_INSERT)]?.push(row)
  return inserts.map(toRowBlocks)
}
