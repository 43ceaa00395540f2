import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Session } from "chdb"
import { toPropertyText } from "../../../../src/features/ingestion/rows/property-text.js"
import { createQueryKinds } from "../../../../src/features/queries/kinds/kinds.js"
import type { QuerySchema } from "../../../../src/features/queries/schema/query-schema.types.js"
import type { PathCleaningRule } from "../../../../src/hogql/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { SPARE_COUNT_COLUMN, toSpareColumn } from "../../../../src/kernel/property-columns.js"

const EMPTY_SCHEMA: QuerySchema = {
  propertyDefinitions: { event: new Map(), person: new Map(), group: new Map() },
  groupTypes: new Map(),
  cohorts: new Map(),
  cohortsById: new Map(),
  actions: new Map(),
  testAccountFilters: [],
}

/** An event as a test writes it; its person is made from the name of the actor. */
export interface TestEvent {
  readonly event: string
  readonly actor: string
  /** ISO time. */
  readonly at: string
  readonly properties?: Record<string, unknown>
  readonly session?: string
  readonly group?: string
  /** The clicked element and those around it, as they are stored. */
  readonly elements?: string
}

/** Every kind over the real engine in this process. One per test file: close it. */
export class KindEngine {
  private readonly directory = mkdtempSync(join(tmpdir(), "waymark-kinds-"))
  private readonly session = new Session(this.directory)
  private stored = 0
  readonly statements: string[] = []
  schema: QuerySchema = EMPTY_SCHEMA

  private readonly kinds = new Map(
    createQueryKinds(
      {
        select: async ({ sql, parameters = {}, settings = {} }) => {
          this.statements.push(sql)
          const written = Object.entries({ ...settings, max_execution_time: 20 })
            .map(([name, value]) => `${name}=${typeof value === "string" ? `'${value}'` : value}`)
            .join(", ")
          const text = `${sql} SETTINGS ${written}, output_format_json_quote_64bit_integers=0`
          const answer = JSON.parse(this.session.queryBind(text, parameters, "JSONCompact"))
          return { columns: answer.meta, rows: answer.data, rowsRead: 0, bytesRead: 0, elapsedMs: 0 }
        },
        progress: async () => null,
        kill: async () => undefined,
      },
      { read: async () => this.schema },
      { list: async () => ({ items: [], totalCount: 0 }) },
    ).map((kind) => [kind.kind, kind]),
  )

  constructor() {
    const migrations = join(process.cwd(), "migrations/clickhouse")
    for (const file of readdirSync(migrations).sort()) {
      const text = readFileSync(join(migrations, file), "utf8").replace(/^\s*--.*$/gm, "")
      for (const statement of text.split(/;\s*(?:\n|$)/)) if (statement.trim() !== "") this.session.query(statement)
    }
  }

  insert(table: string, rows: readonly object[]): void {
    if (rows.length === 0) return
    this.session.query(
      `INSERT INTO ${table} SETTINGS date_time_input_format='best_effort' FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`,
    )
  }

  /**
   * Stores events as ingestion does, each actor with a person of its own. Events know none of the spare columns of the
   * schema, one, two and so on by turns, as if they came while these were given.
   */
  capture(events: readonly TestEvent[], projectId = 1): void {
    this.insert(
      "events",
      events.map(({ event, actor, at, properties = {}, session = "", group = "", elements = "" }) => ({
        project_id: projectId,
        uuid: uuidOf(`event ${this.stored++}`),
        event,
        distinct_id: actor,
        properties: JSON.stringify(properties),
        timestamp: at,
        created_at: at,
        person_id: uuidOf(actor),
        person_created_at: at,
        person_properties: "{}",
        person_mode: "full",
        $session_id: session,
        $group_0: group,
        elements_chain: elements,
        ...this.fillSpares(properties),
      })),
    )
  }

  private fillSpares(properties: Record<string, unknown>): Record<string, unknown> {
    const names = [...(this.schema.spares?.keys() ?? [])]
    const known = names.slice(0, this.stored % (names.length + 1))
    const values = known.map((name, index) => [toSpareColumn(index + 1), toPropertyText(properties[name] as Json)])
    return { [SPARE_COUNT_COLUMN]: known.length, ...Object.fromEntries(values) }
  }

  /** The answer of a query, in project 1 unless another is named; `Results` is what its kind answers. */
  async run<Results = Json>(query: KindQuery, options: RunOptions = {}): Promise<KindAnswer<Results>> {
    const kind = this.kinds.get(query.kind)
    if (kind === undefined) throw new Error(`no kind ${query.kind}`)
    const { projectId = 1, ...scope } = options
    const answer = await kind.run(query, {
      projectId: asProjectId(projectId),
      timezone: "UTC",
      weekStartDay: 0,
      nowMs: Date.UTC(2024, 2, 15, 12),
      engineQueryId: "test",
      maxExecutionSeconds: 20,
      signal: new AbortController().signal,
      ...scope,
    })
    return answer as KindAnswer<Results>
  }

  close(): void {
    this.session.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export interface RunOptions {
  readonly projectId?: number
  readonly timezone?: string
  readonly weekStartDay?: number
  readonly nowMs?: number
  readonly pathCleaning?: readonly PathCleaningRule[]
}

export type KindQuery = JsonObject & { kind: string }

/** The whole answer as it is sent. */
export type KindAnswer<Results = Json> = Omit<JsonObject, "results"> & { readonly results: Results }

/** Those of a list, of which a test reads the first two by their place. */
export type Listed<Item> = readonly [Item, Item, ...Item[]]

/** One line of a trend, a lifecycle or a stickiness. */
export interface Line {
  readonly data: Listed<number>
  readonly days: readonly string[]
  readonly labels: readonly string[]
  readonly count: number
  readonly status: string
  readonly breakdown_value: Json
  readonly compare_label: Json
}

/** A UUID that depends on the name alone. */
export function uuidOf(name: string): string {
  let hash = 0x811c9dc5
  const words = [0, 1, 2, 3].map((word) => {
    for (const letter of `${word}${name}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
    return hash.toString(16).padStart(8, "0")
  })
  const text = words.join("")
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-7${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`
}

/** Numbers from 0 to 1 that are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
