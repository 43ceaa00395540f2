import { Client } from "pg"
import { createClickHouse } from "../../../../src/platform/clickhouse/click-house-client.js"
import { startEmbeddedClickHouse } from "../../../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { type CaseDataset, cohortFilters, datasetRows } from "../../../hogql/support/dataset.js"
import { copyOfTemplate } from "../../../support/store-templates.js"
import { type Answer, WaymarkApi } from "../../../support/waymark-api.js"
import { WaymarkProcess } from "../../../support/waymark-process.js"

/** A real server over stores that the test can write to, with the dataset in project 1 and a second project. */
export class QueryCaseServer {
  private readonly directory = copyOfTemplate("stores")
  private readonly opened = new AsyncDisposableStack()
  private postgres!: Client
  private urls: Readonly<Record<string, string>> = {}
  private insert!: (table: string, rows: readonly Record<string, unknown>[]) => Promise<void>
  api!: WaymarkApi

  async start(dataset: CaseDataset): Promise<void> {
    const stores = { dataDirectory: this.directory.path, logger: silentLogger }
    const database = await startEmbeddedPostgres(stores)
    this.opened.defer(() => database.stop())
    const engine = await startEmbeddedClickHouse(stores)
    this.opened.defer(() => engine.stop())
    const clickHouse = createClickHouse({ url: () => engine.url, logger: silentLogger })
    this.opened.defer(() => clickHouse.close())
    this.urls = { DATABASE_URL: database.url, CLICKHOUSE_URL: engine.url }
    this.api = new WaymarkApi(await this.startProcess("server"))
    await this.api.changed(
      'mutation { createProject(input: { name: "Nebenan" }) { project { id: number } userErrors { message } } }',
    )
    this.postgres = new Client({ connectionString: database.url })
    await this.postgres.connect()
    this.opened.defer(() => this.postgres.end())
    this.insert = (table, rows) => clickHouse.insert({ table, rows })
    await this.define(dataset)
    for (const [table, rows] of datasetRows(dataset)) await this.insert(table, rows)
  }

  /** Writes rows as ingestion stores them. */
  store(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    return this.insert(table, rows)
  }

  /** Starts a process on the same stores with a data directory of this name; answers its address. */
  async startProcess(name: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const server = new WaymarkProcess(`${this.directory.path}/${name}`, { ...this.urls, ...environment })
    this.opened.defer(async () => void (await server.stop()))
    return server.ready()
  }

  /** Runs a statement on the server's PostgreSQL. */
  async sql(text: string, values: readonly unknown[]): Promise<void> {
    await this.postgres.query(text, [...values])
  }

  query<Body = Record<string, unknown>>(query: unknown, rest: object = {}, project = 1): Promise<Answer<Body>> {
    return this.api.post<Body>(`/api/environments/${project}/query/`, { query, ...rest })
  }

  async useTimezone(timezone: string): Promise<void> {
    await this.api.changed(
      `mutation ($timezone: String!) {
        updateProject(input: { projectId: 1, timezone: $timezone }) {
          project { id: number } userErrors { message } } }`,
      {
        timezone,
      },
    )
  }

  async stop(): Promise<void> {
    await this.opened.disposeAsync()
    this.directory.remove()
  }

  private async define(dataset: CaseDataset): Promise<void> {
    for (const { name, type, property_type } of dataset.property_definitions)
      await this.postgres.query(
        "INSERT INTO property_definition (project_id, kind, name, property_type) VALUES (1, $1, $2, $3)",
        [type, name, property_type],
      )
    for (const { group_type, group_type_index } of dataset.group_type_mapping)
      await this.postgres.query("INSERT INTO group_type VALUES (1, $1, $2)", [group_type_index, group_type])
    for (const cohort of dataset.cohorts)
      await this.postgres.query(
        "INSERT INTO cohort (id, project_id, name, is_static, filters) VALUES ($1, 1, $2, $3, $4)",
        [cohort.id, `cohort ${cohort.id}`, cohort.is_static, cohortFilters(cohort)],
      )
  }
}
