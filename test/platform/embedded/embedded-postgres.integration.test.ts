import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import { Client, type Pool } from "pg"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { asAccount, findServerAccount } from "../../../src/platform/embedded/embedded-postgres-account.js"
import { identifyProcess, isRunning } from "../../../src/platform/embedded/process-identity.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { waitFor } from "../../support/wait-for.js"

// mkdtemp gives 0700: when these tests run as root the server's user cannot enter, as with data below /root.
const makeDirectory = (): string => mkdtempSync(join(tmpdir(), "waymark-postgres-"))
const start = (dataDirectory: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDirectory, logger: silentLogger })

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe("an embedded PostgreSQL that runs", () => {
  let dataDirectory: string
  let server: EmbeddedPostgres
  let pool: Pool

  beforeAll(async () => {
    dataDirectory = makeDirectory()
    server = await start(dataDirectory)
    pool = openPool(server.url, 4, silentLogger)
  })
  afterAll(async () => {
    await pool.end()
    await server.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  test.each([
    ["listen_addresses", ""],
    ["fsync", "on"],
    ["synchronous_commit", "on"],
    ["full_page_writes", "on"],
    ["server_encoding", "UTF8"],
    ["TimeZone", "UTC"],
  ])("has %s set to '%s'", async (name, value) => {
    const [row] = await ask<{ setting: string }>(server.url, `select current_setting('${name}') as setting`)
    expect(row?.setting).toBe(value)
  })

  test("sorts by code point on every host", async () => {
    const [row] = await ask<{ sorted: string }>(
      server.url,
      "select string_agg(t, '' order by t) as sorted from unnest(array['é', 'b', 'B', 'a']) t",
    )
    expect(row?.sorted).toBe("Babé")
  })

  test("comes back after kill -9 with what was committed, although a session was busy", async () => {
    await pool.query("create table kept (id int)")
    await pool.query("insert into kept values (7)")
    const busy = pool.query("select count(*) from generate_series(1, 100000000000)").catch((error: Error) => error)
    await waitFor("the busy session", async () => {
      const { rows } = await pool.query(
        "select 1 from pg_stat_activity where query like '%100000000000)' and state = 'active'",
      )
      return rows.length > 0
    })
    const killed = server.pid() as number
    process.kill(killed, "SIGKILL")
    expect(await busy).toBeInstanceOf(Error)
    await waitFor("the new server", () => server.pid() !== null && server.pid() !== killed)
    const { rows } = await waitFor("the pool to answer again", () => pool.query("select id from kept"))
    expect(rows).toEqual([{ id: 7 }])
  })
})

describe("the data of an embedded PostgreSQL", () => {
  let dataDirectory: string
  const started: EmbeddedPostgres[] = []
  const strangers: ChildProcess[] = []

  beforeEach(() => {
    dataDirectory = makeDirectory()
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()))
    for (const stranger of strangers.splice(0)) stranger.kill("SIGKILL")
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  const startHere = async (): Promise<EmbeddedPostgres> => {
    const server = await start(dataDirectory)
    started.push(server)
    return server
  }

  test("is there after a restart, under the same URL", async () => {
    const first = await startHere()
    await ask(first.url, "create table kept as select 1 as id")
    await first.stop()
    const second = await startHere()
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, "select id from kept")).toEqual([{ id: 1 }])
  })

  test("is initialised anew when a first start was killed half-way", async () => {
    const draft = join(dataDirectory, "postgres", "data.new")
    mkdirSync(join(draft, "base"), { recursive: true })
    writeFileSync(join(draft, "PG_VERSION"), "18\n")
    const server = await startHere()
    expect(await ask(server.url, "select 1 as one")).toEqual([{ one: 1 }])
    expect(existsSync(draft)).toBe(false)
  })

  test("is taken over from a server that a killed Waymark left running", async () => {
    const crashing = spawn(process.execPath, [
      "--import",
      "tsx",
      "test/platform/embedded/embedded-postgres-crash.ts",
      dataDirectory,
    ])
    let output = ""
    crashing.stdout.on("data", (chunk) => {
      output += chunk
    })
    await new Promise((resolve) => crashing.once("close", resolve))
    const orphan = identifyProcess(Number(output))
    expect(orphan).not.toBeNull()
    const server = await startHere()
    expect(orphan !== null && isRunning(orphan)).toBe(false)
    expect(await ask(server.url, "select id from kept")).toEqual([{ id: 3 }])
  })

  test("opens although its lock files name a stranger, who is left alone", async () => {
    const first = await startHere()
    const socketDirectory = decodeURIComponent(new URL(first.url).hostname)
    await first.stop()
    const stranger = spawn("sleep", ["600"], asAccount(findServerAccount()))
    strangers.push(stranger)
    const lock = `${stranger.pid}\n${dataDirectory}\n1795275859\n5432\n${socketDirectory}\n\n`
    writeFileSync(join(dataDirectory, "postgres", "data", "postmaster.pid"), lock)
    mkdirSync(socketDirectory)
    writeFileSync(join(socketDirectory, ".s.PGSQL.5432.lock"), lock)
    writeFileSync(
      join(dataDirectory, "postgres", "process.json"),
      JSON.stringify({ pid: stranger.pid, startedAt: "some other start" }),
    )
    const second = await startHere()
    expect(await ask(second.url, "select 1 as one")).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  })

  test("is refused in one line when another major version wrote it", async () => {
    await (await startHere()).stop()
    writeFileSync(join(dataDirectory, "postgres", "data", "PG_VERSION"), "17\n")
    await expect(startHere()).rejects.toThrow(/data was written by PostgreSQL 17, and this Waymark brings 18\. [^\n]*$/)
  })

  test("is refused in one line with PostgreSQL's own reason when it is damaged", async () => {
    await (await startHere()).stop()
    const control = join(dataDirectory, "postgres", "data", "global", "pg_control")
    rmSync(control)
    mkdirSync(control)
    chmodSync(control, 0o755)
    await expect(startHere()).rejects.toThrow(/^PostgreSQL did not start on [^\n]*\/data: [^\n]*pg_control[^\n]*$/)
  })
})
