import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { describe, expect, test } from "@jest/globals"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const { api } = ownServer()
const EXPORT = "/api/environments/@current/query/export/"

interface Exported {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly trailers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** Sends an export and reads it whole, trailers included. Rejects when the answer breaks off. */
function exported(query: string, format?: string, some: object = {}): Promise<Exported> {
  const url = `${api.url}${EXPORT}${format === undefined ? "" : `?format=${format}`}`
  const headers = { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.once("error", reject)
      response.once("end", () => {
        const { statusCode = 0, headers: received, trailers } = response
        resolve({ status: statusCode, headers: received, trailers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.once("error", reject)
    sent.end(JSON.stringify({ query: { kind: "HogQLQuery", query }, ...some }))
  })
}

/** A large export whose client has read a little and waits. */
async function begun(id: string) {
  const headers = { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" }
  const sent = request(`${api.url}${EXPORT}`, { method: "POST", headers })
  const query = { kind: "HogQLQuery", query: "SELECT number, repeat('x', 1000) FROM numbers(1000000)" }
  sent.end(JSON.stringify({ query, client_query_id: id }))
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  await once(response, "readable")
  const statusOf = async () => {
    const path = `/api/environments/@current/query/${id}/`
    return (await api.get<{ query_status?: { complete: boolean } }>(path)).body.query_status ?? null
  }
  return { response, statusOf }
}

const linesOf = ({ bytes }: Exported): string[] => bytes.toString().split("\n").slice(0, -1)

describe("an export", () => {
  test("gives every row past the row cap of queries, in order, as CSV", async () => {
    const answer = await exported(
      "SELECT number AS n, concat('row ', toString(number)) FROM numbers(120000) ORDER BY n",
    )
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "text/csv; charset=utf-8", "x-export-max-rows": "10000000" },
      trailers: { "x-export-rows": "120000", "x-export-has-more": "false" },
    })
    const lines = linesOf(answer)
    expect(lines.length).toBe(120_001)
    expect(lines.slice(0, 3)).toEqual(["n,\"concat('row ', toString(number))\"\r", "0,row 0\r", "1,row 1\r"])
    expect(lines.at(-1)).toBe("119999,row 119999\r")
  })

  test("keeps a LIMIT of its own", async () => {
    const query = "SELECT number FROM numbers(100) ORDER BY number LIMIT 3"
    expect((await exported(query)).bytes.toString()).toBe("number\r\n0\r\n1\r\n2\r\n")
    expect(linesOf(await exported(query, "jsonl"))).toEqual(['{"number":0}', '{"number":1}', '{"number":2}'])
  })

  test("as CSV quotes what needs it and disarms formulas", async () => {
    const { bytes } = await exported(
      `SELECT '=1+1' AS a, '@x' AS b, 'said "no", twice' AS c, 'two
lines' AS d, null AS e, [1, 2] AS f, -5 AS g, '-5' AS h`,
    )
    expect(bytes.toString()).toBe(`a,b,c,d,e,f,g,h\r\n'=1+1,'@x,"said ""no"", twice","two\nlines",,"[1,2]",-5,'-5\r\n`)
  })

  test("as JSON lines gives each column a name of its own and times in the project's zone", async () => {
    const lines = linesOf(await exported("SELECT 1, 1, toDateTime('2026-01-02 03:04:05') AS at", "jsonl"))
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ "1": 1, "1_2": 1, at: "2026-01-02T03:04:05Z" }])
  })

  test("as Parquet is one file with the query's names", async () => {
    const { bytes, headers } = await exported("SELECT number AS whole_number FROM numbers(70000)", "parquet")
    expect(headers["content-type"]).toBe("application/vnd.apache.parquet")
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"])
    expect(bytes.includes("whole_number")).toBe(true)
  })

  test("is a run that can be followed and cancelled, and that is broken off then", async () => {
    const { response, statusOf } = await begun("cancelled")
    expect((await statusOf())?.complete).toBe(false)
    expect((await api.request("DELETE", "/api/environments/@current/query/cancelled/")).status).toBe(204)
    const failed = once(response, "error")
    response.resume()
    expect(String(await failed)).toContain("aborted")
  })

  test("shows as complete once it has been read", async () => {
    await exported("SELECT 1", "csv", { client_query_id: "small export" })
    const done = await waitFor("the run to end", async () => {
      const { body } = await api.get<{ query_status: { complete: boolean; results: unknown } }>(
        "/api/environments/@current/query/small%20export/",
      )
      return body.query_status.complete && body.query_status
    })
    expect(done).toMatchObject({ error: false, results: { exported_rows: 1, has_more: false, format: "csv" } })
  })

  test("fails and frees the engine when its client leaves", async () => {
    const { response, statusOf } = await begun("left")
    response.destroy()
    const run = await waitFor("the run to end", async () => {
      const status = await statusOf()
      return status?.complete ? status : null
    })
    expect(run).toMatchObject({ error: true, error_message: expect.stringContaining("The client left") })
  })

  test("refuses what has no rows, what is no format and what is no query with a reason", async () => {
    expect((await exported("SELECT 1", "xlsx")).bytes.toString()).toContain("invalid_choice")
    expect((await exported("SELECT nope FROM events")).bytes.toString()).toContain("nope")
    const nothing = { kind: "HogQuery", code: "1" }
    expect(await api.post(EXPORT, { query: nothing })).toMatchObject({ status: 400, body: { attr: "query__kind" } })
    expect(await new WaymarkApi(api.url, "phx_nobody").post(EXPORT, { query: nothing })).toMatchObject({ status: 401 })
  })

  test("has a row per point of an insight, in every format", async () => {
    const dateRange = { date_from: "2026-01-01", date_to: "2026-01-02" }
    const series = [{ kind: "EventsNode", event: "bought" }]
    const trends = { query: { kind: "TrendsQuery", dateRange, series } }
    expect((await exported("", "csv", trends)).bytes.toString()).toBe(
      "label,day,value\r\nbought,2026-01-01,0\r\nbought,2026-01-02,0\r\n",
    )
    const { bytes, trailers } = await exported("", "jsonl", {
      query: { kind: "FunnelsQuery", dateRange, series: [...series, ...series] },
    })
    expect(trailers).toEqual({ "x-export-rows": "2", "x-export-has-more": "false" })
    expect(
      bytes
        .toString()
        .split("\n")
        .slice(0, 2)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { order: 0, name: "bought", count: 0 },
      { order: 1, name: "bought", count: 0 },
    ])
    const file = await exported("", "parquet", trends)
    expect([file.status, file.bytes.subarray(0, 4).toString(), file.bytes.includes("bought")]).toEqual([
      200,
      "PAR1",
      true,
    ])
  })

  test("has a column for each part of an object, named as it was asked for", async () => {
    const query = { kind: "EventsQuery", select: ["event", "person", "properties.plan -- Plan"], after: "-1h" }
    expect((await exported("", "csv", { query })).bytes.toString()).toBe(
      "event,person.uuid,person.created_at,person.properties,person.distinct_id,properties.plan -- Plan\r\n",
    )
  })

  test("of a run can be fetched from the address that GraphQL gives, as long as the run is kept", async () => {
    await api.post("/api/environments/@current/query/", {
      query: { kind: "HogQLQuery", query: "SELECT 7 AS seven" },
      client_query_id: "kept run",
    })
    const asked = 'query { queryStatus(projectId: "@current", id: "kept run") { exportUrl(format: JSONL) } }'
    const { exportUrl } = (await api.graphql<{ queryStatus: { exportUrl: string } }>(asked)).queryStatus
    expect(exportUrl.startsWith(`${api.url}/api/environments/`)).toBe(true)
    const answer = await fetch(exportUrl, { headers: { authorization: `Bearer ${PERSONAL_KEY}` } })
    expect(await answer.text()).toBe('{"seven":7}\n')
    const progress = await api.get(answer.headers.get("x-export-progress") ?? "")
    expect(progress.body).toMatchObject({ query_status: { id: answer.headers.get("x-query-id") } })
    expect((await fetch(exportUrl)).status).toBe(401)
    expect((await api.get("/api/environments/@current/query/nobody/export/")).status).toBe(404)
  })
})

describe("an export for a browser", () => {
  const permit = async (query: object, format = "CSV", caller = api): Promise<{ url: string; queryId: string }> => {
    const { exportQuery } = await caller.changed<{ exportQuery: { url: string; queryId: string } }>(
      `mutation ($query: QueryInput!, $format: QueryExportFormat!) {
        exportQuery(input: { query: $query, format: $format }) { export { url queryId } userErrors { message } } }`,
      { query, format },
    )
    return exportQuery
  }

  test("is a file at an address that takes no key and is good for one request", async () => {
    const { url, queryId } = await permit({ hogql: { query: "SELECT number AS n FROM numbers(60000)" } })
    // To look at it first is not to fetch it.
    expect((await fetch(url, { method: "HEAD" })).status).toBe(405)
    const answer = await fetch(url)
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="export.csv"')
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer")
    expect((await answer.text()).split("\r\n")).toHaveLength(60_002)
    expect((await fetch(url)).status).toBe(404)
    const { queryStatus } = await api.graphql<{ queryStatus: { state: string } }>(
      `query ($id: ID!) { queryStatus(id: $id) { state } }`,
      { id: queryId },
    )
    expect(queryStatus.state).toBe("COMPLETE")
  })

  test("is of any kind of query, and of any format", async () => {
    const trend = { trends: { series: [{ event: "nothing" }], view: "POINTS", dates: { from: "-1d" } } }
    const parquet = await fetch((await permit(trend, "PARQUET")).url)
    expect(
      Buffer.from(await parquet.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe("PAR1")
    const values = { hogql: { query: "SELECT {n} AS n", values: { n: 7 } } }
    expect(await (await fetch((await permit(values, "JSONL")).url)).text()).toBe('{"n":7}\n')
  })

  test("is refused where the query is, and to whom", async () => {
    await expect(permit({ hogql: { query: "SELECT nope FROM events" } })).rejects.toThrow("nope")
    const keys = { hogql: { query: "SELECT key FROM system.feature_flags" } }
    const reader = new WaymarkApi(api.url, (await makeKey(api, ["query:read"])).value)
    await expect(permit(keys, "CSV", reader)).rejects.toThrow("feature_flag:read")
    expect((await fetch(`${api.url}/exports/phe_made_up`)).status).toBe(404)
  })
})
