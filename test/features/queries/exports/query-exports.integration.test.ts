import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import type { ExportFormat } from "../../../../src/features/queries/exports/export-format.js"
import type { OpenExport } from "../../../../src/features/queries/index.js"
import { waitFor } from "../../../support/wait-for.js"
import { PROJECT, type QueriesApp, type QueriesProcess, startQueriesApp } from "../queries-app.js"

let app: QueriesApp
beforeAll(async () => {
  app = await startQueriesApp()
})
afterAll(() => app.stop())
afterEach(() => app.database.pool.query("DELETE FROM query_run"))

function open(
  { exports }: QueriesProcess,
  text: string,
  format: ExportFormat,
  some: { id?: string; signal?: AbortSignal } = {},
) {
  const request = {
    query: { kind: "HogQLQuery", query: text },
    clientQueryId: some.id ?? null,
    refresh: "blocking",
  } as const
  return exports.open(PROJECT, request, format, some.signal ?? new AbortController().signal)
}

async function bytesOf({ pieces }: OpenExport): Promise<Buffer> {
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(Buffer.from(piece))
  return Buffer.concat(read)
}

/** What the engine itself reads in a Parquet file. */
const readBack = (file: Buffer): Promise<object[]> =>
  app.clickHouse.rows({ sql: `SELECT * FROM format(Parquet, base64Decode('${file.toString("base64")}'))` })

const hasEngineRuns = async (): Promise<boolean> => {
  const sql =
    "SELECT count() AS c FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'"
  return (await app.clickHouse.rows<{ c: number | string }>({ sql })).some(({ c }) => Number(c) > 0)
}

const ODD_VALUES = `SELECT 'say "hi", twice' AS quotes, concat('two', char(10), 'lines') AS lines, 'ünï 💥' AS letters, null AS nothing,
  '' AS empty, [1, null, 3] AS list, [] AS none, toDate('2024-02-29') AS day, toDateTime64('2024-02-29 12:13:14.125', 3) AS at,
  toInt64(9223372036854775807) AS long, 0 / 0 AS no_number, 1 / 0 AS endless, -1 / 0 AS below, -5 AS minus, interval 2 day AS span`

describe("values that no format takes for granted", () => {
  test("are kept in CSV", async () => {
    const lines = (await bytesOf(await open(app.process(), ODD_VALUES, "csv"))).toString().split("\r\n")
    expect(lines[1]).toBe(
      '"say ""hi"", twice","two\nlines",ünï 💥,,"","[1,null,3]",[],2024-02-29,2024-02-29T12:13:14.125Z,9223372036854775807,nan,inf,-inf,-5,2',
    )
  })

  test("are kept in JSON lines, which have no word for what is no number", async () => {
    expect((await bytesOf(await open(app.process(), ODD_VALUES, "jsonl"))).toString()).toBe(
      '{"quotes":"say \\"hi\\", twice","lines":"two\\nlines","letters":"ünï 💥","nothing":null,"empty":"","list":[1,null,3],"none":[],' +
        '"day":"2024-02-29","at":"2024-02-29T12:13:14.125Z","long":9223372036854775807,"no_number":null,"endless":null,"below":null,"minus":-5,"span":2}\n',
    )
  })

  test("are kept in Parquet", async () => {
    const file = await bytesOf(await open(app.process(), ODD_VALUES, "parquet"))
    expect(await readBack(file)).toMatchObject([
      {
        quotes: 'say "hi", twice',
        lines: "two\nlines",
        letters: "ünï 💥",
        nothing: null,
        empty: "",
        list: [1, null, 3],
        none: [],
        day: "2024-02-29",
        at: "2024-02-29 12:13:14.125000",
        minus: -5,
        span: "2",
      },
    ])
  })
})

describe("an export of more rows than it may have", () => {
  const EIGHT = "SELECT number FROM numbers(8) ORDER BY number"

  test("as text gives the first ones and says that there are more", async () => {
    const begun = await open(app.process({ maxExportRows: 5 }), EIGHT, "csv")
    expect((await bytesOf(begun)).toString()).toBe("number\r\n0\r\n1\r\n2\r\n3\r\n4\r\n")
    expect(begun.count).toEqual({ rows: 5, isCut: true })
  })

  test("as Parquet is refused, since a file cannot say so, unless it has a LIMIT", async () => {
    const process = app.process({ maxExportRows: 5 })
    await expect(open(process, EIGHT, "parquet")).rejects.toMatchObject({
      code: "invalid_input",
      details: { detail: expect.stringContaining("more than 5 rows") },
    })
    const file = await bytesOf(await open(process, `${EIGHT} LIMIT 3`, "parquet"))
    expect((await readBack(file)).map(Object.values)).toEqual([[0], [1], [2]])
  })
})

describe("an export that fails in the middle of its rows", () => {
  test("breaks off, and its status says so", async () => {
    const process = app.process()
    const begun = await open(process, "SELECT intDiv(1, 1000000 - number) FROM numbers(1500000)", "csv", {
      id: "broken",
    })
    await expect(bytesOf(begun)).rejects.toMatchObject({ details: { detail: expect.stringContaining("broke off") } })
    const run = await waitFor("the run to end", async () => {
      const found = await process.service.status(PROJECT, "broken")
      return found.state === "failed" && found
    })
    expect(run.errorMessage).toContain("The engine broke off in the middle of the rows")
  })
})

describe("an export whose client leaves", () => {
  const LONG = "SELECT number, sipHash64(number) AS hash FROM numbers(9000000000) WHERE hash % 1000 = 0"

  test.each(["csv", "jsonl", "parquet"] as const)("frees the engine and fails: %s", async (format) => {
    const process = app.process({ maxExportRows: 1_000_000_000 })
    const client = new AbortController()
    const opened = open(process, LONG, format, { id: format, signal: client.signal }).catch((fault: unknown) => fault)
    await waitFor("the engine to work", hasEngineRuns)
    client.abort(new Error("left"))
    const begun = await opened
    if (typeof begun === "object" && begun !== null && "pieces" in begun)
      await expect(bytesOf(begun as OpenExport)).rejects.toThrow()
    await waitFor("the engine to be free", async () => !(await hasEngineRuns()))
    const run = await waitFor("the run to end", async () => {
      const found = await process.service.status(PROJECT, format)
      return found.state === "failed" && found
    })
    expect(run.answer).toBeNull()
  })
})
