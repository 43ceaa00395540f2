import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { defineEntity, p } from "@mikro-orm/postgresql"
import { DatabaseError } from "pg"
import { AppError } from "../../../src/kernel/errors.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { isConnectionLoss, toStoreFault } from "../../../src/platform/postgres/connection-loss.js"
import { openDatabase } from "../../../src/platform/postgres/database.js"
import type { Database } from "../../../src/platform/postgres/database.types.js"
import { waitFor } from "../../support/wait-for.js"

const NoteSchema = defineEntity({
  name: "Note",
  tableName: "note",
  properties: { id: p.integer().primary(), text: p.text(), writtenAt: p.datetime().defaultRaw("now()") },
})
class Note extends NoteSchema.class {}
NoteSchema.setClass(Note)

let dataDirectory: string
let server: EmbeddedPostgres
let database: Database

const open = (url: string): Promise<Database> =>
  openDatabase({ url, entities: [Note], connections: 12, logger: silentLogger })

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "waymark-database-"))
  server = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  database = await open(server.url)
  await database.pool.query(
    "create table note (id int primary key, text text not null, written_at timestamptz not null default now())",
  )
})
afterAll(async () => {
  await database.close()
  await server.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

const countNotes = async (): Promise<number> => (await database.pool.query("select 1 from note")).rows.length

describe("the database", () => {
  test("is reached by the ORM and by the pool over the same unix socket", async () => {
    const em = database.orm.em.fork()
    em.create(Note, { id: 1, text: "größer" })
    await em.flush()
    expect((await database.pool.query("select text from note where id = 1")).rows).toEqual([{ text: "größer" }])
    expect((await database.orm.em.fork().findOneOrFail(Note, 1)).writtenAt).toBeInstanceOf(Date)
  })

  test("commits a transaction whose work resolves and gives back its result", async () => {
    const before = await countNotes()
    const result = await database.transaction(async (client) => {
      await client.query("insert into note (id, text) values (2, 'a'), (3, 'b')")
      return "done"
    })
    expect(result).toBe("done")
    expect(await countNotes()).toBe(before + 2)
  })

  test("rolls a transaction back whose work rejects, and stays usable", async () => {
    const before = await countNotes()
    for (let attempt = 0; attempt < 5; attempt++) {
      const failing = database.transaction(async (client) => {
        await client.query("insert into note (id, text) values (4, 'a')")
        throw new Error("changed my mind")
      })
      await expect(failing).rejects.toThrow("changed my mind")
    }
    expect(await countNotes()).toBe(before)
  })

  test("reports a refused statement as it is", async () => {
    const failing = database.transaction((client) => client.query("insert into note (id, text) values (9, null)"))
    await expect(failing).rejects.toMatchObject({ code: "23502" })
  })

  test("turns the loss of a connection inside a transaction into store_unavailable, and works again after it", async () => {
    const killed = server.pid()
    const interrupted = database.transaction(async (client) => {
      process.kill(killed as number, "SIGKILL")
      await client.query("select pg_sleep(600)")
    })
    await expect(interrupted).rejects.toMatchObject({ code: "store_unavailable", details: { retryAfterSeconds: 2 } })
    await waitFor("the new server", () => server.pid() !== null && server.pid() !== killed)
    await waitFor("the pool", () => database.ping().then(() => true))
    await waitFor("the ORM", async () => (await database.orm.em.fork().count(Note)) > 0)
  })

  test("opens although PostgreSQL is away, and says so when it is used", async () => {
    const away = await open(`postgresql://postgres@${encodeURIComponent(join(dataDirectory, "nowhere"))}/waymark`)
    try {
      await expect(away.ping()).rejects.toMatchObject({ code: "store_unavailable" })
      await expect(away.transaction(async () => 1)).rejects.toMatchObject({ code: "store_unavailable" })
      const failure: unknown = await away.orm.em
        .fork()
        .count(Note)
        .catch((error: unknown) => error)
      expect(toStoreFault(failure)).toBeInstanceOf(AppError)
    } finally {
      await away.close()
    }
  })

  test("gives store_unavailable when no connection becomes free in time", async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => database.pool.connect()))
    try {
      await expect(database.ping()).rejects.toMatchObject({ code: "store_unavailable" })
    } finally {
      for (const client of clients) client.release()
    }
  })
})

describe("a lost connection", () => {
  const withCode = (code: string, extra: object = {}): Error => Object.assign(new Error("failed"), { code, ...extra })

  test.each([
    ["a refused connection", withCode("ECONNREFUSED")],
    ["an absent socket", withCode("ENOENT", { syscall: "connect" })],
    ["a server that shuts down", withCode("57P01")],
    ["a server that starts", withCode("57P03")],
    ["a failed connection", withCode("08006")],
    ["a session that ended", new Error("Connection terminated unexpectedly")],
    ["an exhausted pool", new Error("timeout exceeded when trying to connect")],
    ["several refused addresses", new AggregateError([withCode("ECONNREFUSED")])],
    ["a cause deep down", new Error("failed", { cause: withCode("ECONNRESET") })],
  ])("is recognised in %s", (_what, error) => {
    expect(isConnectionLoss(error)).toBe(true)
  })

  test.each([
    ["a unique violation", withCode("23505")],
    ["a statement that took too long", withCode("57014")],
    ["an absent file", withCode("ENOENT", { syscall: "open" })],
    ["a syntax error", new DatabaseError("syntax error", 1, "error")],
    ["something that is no error", "Connection terminated"],
  ])("is not seen in %s", (_what, error) => {
    expect(isConnectionLoss(error)).toBe(false)
    expect(toStoreFault(error)).toBe(error)
  })

  test.each([
    ["a full disk", withCode("53100")],
    ["a lack of memory, below another error", new Error("failed", { cause: withCode("53200") })],
  ])("is not seen in %s, which is a fault of the store all the same", (_what, error) => {
    expect(isConnectionLoss(error)).toBe(false)
    expect(toStoreFault(error)).toMatchObject({ code: "store_unavailable", details: { retryAfterSeconds: 2 } })
  })
})
