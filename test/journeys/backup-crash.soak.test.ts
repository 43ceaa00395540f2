import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { Client } from "pg"
import { runAdminCommand, startAdminCommand } from "../support/admin-command.js"
import { type ClickHouseGate, startClickHouseGate } from "../support/click-house-gate.js"
import { type EmbeddedStores, startEmbeddedStores } from "../support/embedded-stores.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

/** Whoever restores makes a database for it. */
const GRANTS = `<clickhouse><users><default><grants replace="replace">
  <query>GRANT ALL ON *.*</query>
</grants></default></users></clickhouse>
`
const directory = copyOfTemplate("stores")
const scratch = temporaryDirectory()
const folder = join(scratch.path, "backup")
/** Stores that a backup is made of, and by their side those that it is restored into. */
let stores: EmbeddedStores
let gate: ClickHouseGate

beforeAll(async () => {
  const users = join(directory.path, "clickhouse", "engine", "users.d")
  mkdirSync(users, { recursive: true, mode: 0o700 })
  writeFileSync(join(users, "grants.xml"), GRANTS)
  stores = await startEmbeddedStores({ keepIn: directory.path })
  gate = await startClickHouseGate(stores.clickHouseUrl)
  await send("first")
}, 120_000)
afterAll(async () => {
  await gate.stop()
  await stores.stop()
  directory.remove()
  scratch.remove()
})

const toDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** What finds two stores; those that are backed up, or two databases of this name. */
const environmentOf = (name?: string) => ({
  DATA_DIR: join(scratch.path, name ?? "original"),
  DATABASE_URL: name === undefined ? stores.postgresUrl : toDatabase(stores.postgresUrl, name),
  CLICKHOUSE_URL: name === undefined ? gate.url : toDatabase(gate.url, name),
})

async function withServer<T>(environment: Record<string, string>, work: (api: WaymarkApi) => Promise<T>): Promise<T> {
  const server = new WaymarkProcess(environment.DATA_DIR ?? "", environment)
  try {
    return await work(new WaymarkApi(await server.ready()))
  } finally {
    await server.stop()
  }
}

const send = (event: string): Promise<void> =>
  withServer(environmentOf(), async (api) => {
    await api.capture({ event, distinct_id: "ada" })
    await api.drained()
  })

/** Runs `work` with a session of PostgreSQL that lets go of all locks when it is over. */
async function withSession<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("BEGIN")
    return await work(client)
  } finally {
    await client.end()
  }
}

const isSomebodyWaiting = async (client: Client): Promise<boolean> =>
  (await client.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount !== 0

type Command = Parameters<typeof runAdminCommand>

/** kill -9 once a statement of this pattern is on its way to ClickHouse. */
async function killAtStatement(pattern: RegExp, ...command: Command): Promise<void> {
  const reached = gate.keepBack("statements", pattern)
  const running = startAdminCommand(...command)
  const ended = running.ended.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)))
  await Promise.race([reached, ended])
  running.kill("SIGKILL")
  await ended.catch(() => undefined)
  gate.open("stays")
}

/** kill -9 once it waits for a table that somebody else has locked. */
async function killAtTable(url: string, lock: string, ...command: Command): Promise<void> {
  await withSession(url, async (client) => {
    await client.query(lock)
    const running = startAdminCommand(...command)
    await waitFor("the command to wait", () => isSomebodyWaiting(client))
    running.kill("SIGKILL")
    expect((await running.ended).code).toBeNull()
  })
}

const BACKUP = ["backup", "--to", folder]
const backUp = () => runAdminCommand(BACKUP, environmentOf())
const verify = () => runAdminCommand(["verify-backup", "--from", folder], {})
const isWhole = { code: 0, stdout: expect.stringContaining("is whole") }

describe("a backup that is killed", () => {
  test("the first time leaves none, and the next run makes one in the same folder", async () => {
    await killAtTable(stores.postgresUrl, `LOCK TABLE project IN ACCESS EXCLUSIVE MODE`, BACKUP, environmentOf())
    expect(existsSync(join(folder, "postgres"))).toBe(true)
    expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining("holds no backup") })
    await killAtStatement(/FROM snapshot_for_backup_of_events [\s\S]*FORMAT Parquet/, BACKUP, environmentOf())
    // It may have been about to put the list of files in its place.
    writeFileSync(join(folder, "manifest.json.new"), '{"format"')
    expect(await backUp()).toMatchObject({ code: 0, stderr: "" })
    expect(await verify()).toMatchObject(isWhole)
  }, 300_000)

  test("a later time leaves the earlier one as it was, or the later one whole", async () => {
    const { stdout: before } = await verify()
    await send("second")
    await killAtStatement(/FROM snapshot_for_backup_of_events [\s\S]*FORMAT Parquet/, BACKUP, environmentOf())
    expect(await verify()).toMatchObject({ code: 0, stdout: before })
    // The note that there is one comes last.
    await killAtTable(stores.postgresUrl, "LOCK TABLE last_backup IN SHARE MODE", BACKUP, environmentOf())
    const { code, stdout: after } = await verify()
    expect(code).toBe(0)
    expect(after).not.toBe(before)
    expect(await backUp()).toMatchObject({ code: 0, stderr: "" })
    expect(await verify()).toMatchObject(isWhole)
    const sql = "SELECT name FROM system.tables WHERE startsWith(name, 'snapshot_for_backup')"
    expect(await stores.clickHouse.rows({ sql })).toEqual([])
  }, 300_000)
})

describe("a restore that is killed", () => {
  const RESTORE = ["restore", "--from", folder]
  const open = async (name: string): Promise<Record<string, string>> => {
    await withSession(stores.postgresUrl, async (client) => {
      await client.query("COMMIT")
      await client.query(`CREATE DATABASE ${name}`)
    })
    await stores.clickHouse.command({ sql: `CREATE DATABASE ${name}` })
    return environmentOf(name)
  }
  const isRefused = async (environment: Record<string, string>): Promise<void> => {
    const again = await runAdminCommand(RESTORE, environment)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("must be empty: there are tables already") })
    const { code, stderr } = await new WaymarkProcess(environment.DATA_DIR ?? "", environment).ended
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("does not belong to") })
  }

  test.each([
    ["before ClickHouse has a table", "before_tables", /^CREATE TABLE IF NOT EXISTS store_pair/],
    ["before both stores are a pair", "before_pair", /^INSERT INTO `store_pair`/],
    ["before it has inserted events", "before_events", /^INSERT INTO `events`/],
  ])(
    "%s leaves stores that no server and no restore begins with",
    async (_when, name, pattern) => {
      const environment = await open(name)
      await killAtStatement(pattern, RESTORE, environment)
      await isRefused(environment)
    },
    300_000,
  )

  test("while it copies records leaves such stores too, and a restore into others is whole", async () => {
    const environment = await open("before_records")
    await withSession(environment.DATABASE_URL ?? "", async (client) => {
      const reached = gate.keepBack("statements", /^INSERT INTO `events`/)
      const running = startAdminCommand(RESTORE, environment)
      await reached
      await client.query("LOCK TABLE project IN ACCESS SHARE MODE")
      gate.open("goes on")
      await waitFor("the command to wait", () => isSomebodyWaiting(client))
      running.kill("SIGKILL")
      await running.ended
    })
    await isRefused(environment)

    const whole = await open("whole")
    expect(await runAdminCommand(RESTORE, whole)).toMatchObject({ code: 0, stderr: "" })
    const events = await withServer(whole, (api) => api.hogql("SELECT event FROM events ORDER BY event"))
    expect(events).toEqual([["first"], ["second"]])
  }, 300_000)
})
