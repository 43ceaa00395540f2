import { createHash } from "node:crypto"
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { packRequests, unpackRequests } from "../../../../src/features/capture/index.js"
import { Compressor } from "../../../../src/features/capture/log/compressor.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../../src/platform/migrations/apply-migrations.js"
import { migrationsDirectory } from "../../../../src/platform/migrations/load-migrations.js"
import { postgresMigrationTarget } from "../../../../src/platform/migrations/postgres-migration-target.js"
import { openPool } from "../../../../src/platform/postgres/open-pool.js"

const compressor = new Compressor()
const pack = (requests: Parameters<typeof packRequests>[0]) =>
  packRequests(requests, (pieces, byteCount) => compressor.compress(pieces, byteCount))
const requestOf = (text: string, clientIp = "2001:db8::1") => ({
  receivedAtMs: 1_763_726_400_123,
  clientIp,
  historicalMigration: false,
  eventCount: 1,
  text: [Buffer.from(text)],
  textBytes: Buffer.byteLength(text),
})

describe("a row of the log", () => {
  test("gives back its requests as they were, whatever their texts", async () => {
    const request = fc.record({
      receivedAtMs: fc.integer({ min: -1, max: 2_000_000_000_000 }),
      clientIp: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('"\n')),
      historicalMigration: fc.boolean(),
      eventCount: fc.nat(100),
      text: fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ minLength: 3_000, maxLength: 60_000 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 5 }), async (requests) => {
        const packed = await pack(requests.map(({ text, ...facts }) => ({ ...requestOf(text), ...facts })))
        expect(await unpackRequests(packed)).toEqual(requests.map(({ eventCount: _, ...request }) => request))
      }),
      { numRuns: 200 },
    )
  })

  test("is compressed when it is long, and left alone when it is short", async () => {
    const long = await pack([requestOf('{"event":"seen"}'.repeat(4_000))])
    expect(long.byteCount).toBeGreaterThan(64_000)
    expect(long.bytes.length).toBeLessThan(1_000)
    const short = await pack([requestOf('{"event":"seen"}')])
    expect(short.bytes.length).toBe(short.byteCount)
  })

  test("of several megabytes comes back as it was", async () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `{"event":"seen ${index}"}`).join("\n")
    expect(await unpackRequests(await pack([requestOf(text)]))).toMatchObject([{ text }])
  })

  test("of many requests leaves others their turn while it is read", async () => {
    const packed = await pack(Array.from({ length: 40 }, () => requestOf("x".repeat(500_000))))
    let othersTurns = 0
    const others = setInterval(() => othersTurns++)
    const requests = await unpackRequests(packed)
    clearInterval(others)
    expect(requests).toHaveLength(40)
    expect(othersTurns).toBeGreaterThan(0)
  })

  test("is refused when it becomes longer than it says", async () => {
    for (const length of [60_000, 2_000_000]) {
      const packed = await pack([requestOf("x".repeat(length))])
      await expect(unpackRequests({ ...packed, byteCount: packed.byteCount - 1 })).rejects.toThrow()
    }
  })

  test("is read to its end when zstd has put an empty frame behind it, as it does where a buffer of the stream ends with a row", async () => {
    const emptyFrame = zstdCompressSync(Buffer.alloc(0))
    for (const length of [60_000, 2_000_000]) {
      const { bytes, byteCount } = await pack([requestOf("x".repeat(length))])
      const [read] = await unpackRequests({ bytes: Buffer.concat([bytes, emptyFrame]), byteCount })
      expect(read?.text).toBe("x".repeat(length))
    }
  })

  test.each([200_000, 600_000, 1_900_000])("of %i bytes that hardly compress comes back as it was", async (length) => {
    const text = createHash("shake256", { outputLength: length / 2 })
      .update(String(length))
      .digest("hex")
    const rows = await Promise.all(Array.from({ length: 6 }, (_, index) => pack([requestOf(`${index}${text}`)])))
    const read = await Promise.all(rows.map((row) => unpackRequests(row)))
    expect(read.map(([request], index) => request?.text === `${index}${text}`)).toEqual(rows.map(() => true))
  })

  test("is itself whatever others are compressed at the same time", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(20_000))
    const rows = await Promise.all(texts.map((text) => pack([requestOf(text)])))
    const read = await Promise.all(rows.map((row) => unpackRequests(row)))
    expect(read.map(([request]) => request?.text)).toEqual(texts)
  })
})

describe("a log that an older version has written", () => {
  let dataDirectory: string
  let server: EmbeddedPostgres

  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), "waymark-older-log-"))
    server = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  test("keeps its rows and their ids, each with the one request it held", async () => {
    const current = migrationsDirectory("postgres")
    const older = join(dataDirectory, "older")
    for (const file of readdirSync(current).filter((name) => name < "0018"))
      cpSync(join(current, file), join(older, file))
    const migrate = (directory: string) =>
      applyMigrations({ target: postgresMigrationTarget(server.url), directory, logger: silentLogger })
    await migrate(older)
    const pool = openPool(server.url, 2, silentLogger)
    const written = '[{"event":"größe \\"1\\"","properties":{"text":"a\\nb"}}]'
    const { rows: before } = await pool.query<{ id: string }>(
      `INSERT INTO ingest_log (project_id, received_at, client_ip, historical_migration, event_count, events)
       VALUES (1, '2026-11-21T12:00:00.123Z', '2001:db8::1', true, 1, $1), (2, '1969-12-31T23:59:59.999Z', '', false, 0, '[]')
       RETURNING id`,
      [written],
    )
    await migrate(current)
    const { rows } = await pool.query(
      'SELECT id, requests AS bytes, byte_count AS "byteCount" FROM ingest_log ORDER BY id',
    )
    expect(rows.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(rows.map(({ byteCount }) => byteCount)).toEqual([Buffer.byteLength(written), 2])
    expect(await Promise.all(rows.map(unpackRequests))).toEqual([
      [{ receivedAtMs: 1_795_262_400_123, clientIp: "2001:db8::1", historicalMigration: true, text: written }],
      [{ receivedAtMs: -1, clientIp: "", historicalMigration: false, text: "[]" }],
    ])
    await pool.end()
  })
})
