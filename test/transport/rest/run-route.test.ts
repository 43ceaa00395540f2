import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { GOOD_KEY, READ_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const LIST = "/api/environments/1/session_recording_playlists"
const PLAYLIST = {
  id: 5,
  shortId: "aB3dE6gH",
  name: "Dzień dobry ☕",
  derivedName: null,
  description: "",
  pinned: false,
  createdAt: "2024-02-29T11:00:00.000Z",
  createdBy: null,
  deleted: false,
  filters: {},
  lastModifiedAt: "2024-02-29T11:00:00.000Z",
  lastModifiedBy: null,
  recordingsCounts: { collection: { count: null, watched_count: 0 } },
}

let rest: RunningRest
let answer: (variables: Record<string, unknown>) => Record<string, unknown>
const answerWell = () => ({ page: { totalCount: 250, nodes: [PLAYLIST] }, item: PLAYLIST, answer: { results: [] } })
beforeAll(async () => {
  rest = await startRest({ data: (variables) => answer(variables) })
})
afterAll(() => rest.close())
beforeEach(() => {
  answer = answerWell
})
afterEach(() => {
  expect(rest.undeclared).toEqual([])
})

interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly body?: unknown
  readonly rawBody?: string
  readonly headers?: Record<string, string>
}

async function send(path: string, { method = "GET", key = GOOD_KEY, body, rawBody, headers }: Sent = {}) {
  const response = await fetch(`${rest.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined && rawBody === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body: rawBody ?? (body === undefined ? undefined : JSON.stringify(body)),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") ? JSON.parse(text) : null,
  }
}

describe("paths", () => {
  test.each([LIST, `${LIST}/`, LIST.replace("environments", "projects"), `${LIST.replace("1", "@current")}/`])(
    "%s answers the list",
    async (path) => {
      const { status, json } = await send(path)
      expect(status).toBe(200)
      expect(json.results[0]).toMatchObject({ short_id: "aB3dE6gH", name: "Dzień dobry ☕", created_by: null })
    },
  )

  test.each(["/api/environments/1/nothing/", "/api/environments//session_recording_playlists", "/x", "/%zz", "/api"])(
    "%s is not found, in the body of every fault",
    async (path) => {
      const { status, json } = await send(path)
      expect(status).toBe(404)
      expect(json).toEqual({ type: "invalid_request", code: "not_found", detail: "Not found.", attr: null })
    },
  )

  test("a method that the path lacks is refused whoever asks, with the ones it has", async () => {
    const { status, headers, json } = await send(`${LIST}/`, { method: "PUT", key: null })
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("GET, POST, HEAD")
    expect(json).toEqual({
      type: "invalid_request",
      code: "method_not_allowed",
      detail: 'Method "PUT" not allowed.',
      attr: null,
    })
  })

  test("HEAD answers what GET answers, without the body", async () => {
    const { status, headers, text } = await send(LIST, { method: "HEAD" })
    expect(status).toBe(200)
    expect(Number(headers.get("content-length"))).toBeGreaterThan(100)
    expect(text).toBe("")
  })

  test("management paths are closed to pages of other origins", async () => {
    const { headers } = await send(LIST, { headers: { Origin: "https://elsewhere.test" } })
    expect(headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("callers", () => {
  test("without a key are told so, with the scheme to use", async () => {
    const { status, headers, json } = await send(LIST, { key: null })
    expect(status).toBe(401)
    expect(headers.get("www-authenticate")).toBe("Bearer")
    expect(json.code).toBe("not_authenticated")
  })

  test("may put the key into the query string", async () => {
    const { status } = await send(`${LIST}/?personal_api_key=${GOOD_KEY}`, { key: null })
    expect(status).toBe(200)
  })

  test("without the scope of a guarded row are refused before its answer", async () => {
    const { status, json } = await send(`${LIST}/abc/`, { method: "DELETE", key: READ_KEY })
    expect(status).toBe(403)
    expect(json.detail).toBe("API key missing required scope 'session_recording_playlist:write'")
  })

  test("who may not see a project are told that, not what is wrong with their body", async () => {
    const { status } = await send("/api/environments/2/session_recording_playlists", { method: "POST", rawBody: "{" })
    expect(status).toBe(403)
  })
})

describe("deleting a playlist", () => {
  test("is refused with 405 and nothing in the body", async () => {
    const { status, text } = await send(`${LIST}/abc/`, { method: "DELETE" })
    expect(status).toBe(405)
    expect(text).toBe("")
  })
})

describe("bodies", () => {
  test.each([
    ['{"name":', "JSON parse error - Expecting value: line 1 column 9 (char 8)"],
    ["[".repeat(100_000), "JSON parse error - more than 100 nested levels"],
  ])("that are not JSON are a parse error: %p", async (rawBody, detail) => {
    const { status, json } = await send(LIST, { method: "POST", rawBody })
    expect(status).toBe(400)
    expect(json).toEqual({ type: "invalid_request", code: "parse_error", detail, attr: null })
  })

  test("of another media type are refused", async () => {
    const { status, json } = await send(LIST, {
      method: "POST",
      rawBody: "a=b",
      headers: { "Content-Type": "text/plain" },
    })
    expect(status).toBe(415)
    expect(json.detail).toBe('Unsupported media type "text/plain" in request.')
  })

  test("that are packed are refused as such, and not as broken JSON", async () => {
    const { status, json } = await send(LIST, {
      method: "POST",
      rawBody: "{}",
      headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
    })
    expect([status, json.detail]).toEqual([415, 'Unsupported content encoding "gzip" in request.'])
  })

  test("above 1 MiB are refused", async () => {
    const { status, json } = await send(LIST, { method: "POST", rawBody: `"${"x".repeat(1024 * 1024)}"` })
    expect(status).toBe(413)
    expect(json.code).toBe("payload_too_large")
  })

  test.each([
    [{ pinned: "maybe" }, "pinned", "invalid_input", "Must be a valid boolean."],
    [{ name: ["x"] }, "name", "invalid_input", "Not a valid string."],
    [{ derived_name: true }, "derived_name", "invalid_input", "Not a valid string."],
    [{ description: null }, "description", "null", "This field may not be null."],
    [[1], null, "invalid_input", "Invalid data. Expected a dictionary, but got list."],
  ])("with a field of the wrong type name it: %j", async (body, attr, code, detail) => {
    const { status, json } = await send(LIST, { method: "POST", body })
    expect(status).toBe(400)
    expect(json).toEqual({ type: "validation_error", code, detail, attr })
  })

  test("give their writable fields to the operation and nothing else", async () => {
    const { status } = await send(LIST, { method: "POST", body: { name: 5, pinned: "yes", id: 777, short_id: "zzz" } })
    expect(status).toBe(201)
    expect(rest.executed.at(-1)?.variables).toEqual({ projectId: "1", input: { name: "5", pinned: true } })
  })

  test("may be absent", async () => {
    const { status, headers } = await send(LIST, { method: "POST" })
    expect([status, headers.get("waymark-ignored-fields")]).toEqual([201, null])
  })

  test("are told which of their fields count for nothing", async () => {
    const { status, headers } = await send(LIST, {
      method: "POST",
      body: { nmae: "x", name: "y", id: 777, type: null },
    })
    expect([status, headers.get("waymark-ignored-fields")]).toEqual([201, "nmae, id"])
  })
})

describe("faults of an operation", () => {
  test("keep their status and name fields as this wire writes them", async () => {
    answer = () => {
      throw new AppError("max_length", { attr: "derivedName", detail: "Too long." })
    }
    const { status, json } = await send(`${LIST}/abc`, { method: "PATCH", body: {} })
    expect(status).toBe(400)
    expect(json).toMatchObject({ code: "max_length", attr: "derived_name" })
  })

  test("that a retry may mend say when", async () => {
    answer = () => {
      throw new AppError("store_unavailable", { retryAfterSeconds: 1.2 })
    }
    const { status, headers } = await send(LIST)
    expect(status).toBe(503)
    expect(headers.get("retry-after")).toBe("2")
  })

  test("that are defects show an id and nothing of the cause", async () => {
    answer = () => {
      throw new Error("secret of the house")
    }
    const { status, json, text } = await send(LIST)
    expect(status).toBe(500)
    expect(json.extra.error_id).toMatch(/^error-/)
    expect(text).not.toContain("secret")
  })
})

describe("lists", () => {
  test("link to their neighbours with everything else kept", async () => {
    const { json } = await send(`${LIST}/?limit=100&offset=100&search=%C5%BC`)
    const base = "https://waymark.test/api/environments/1/session_recording_playlists/"
    expect(json.next).toBe(`${base}?limit=100&offset=200&search=%C5%BC`)
    expect(json.previous).toBe(`${base}?limit=100&search=%C5%BC`)
    expect(json.count).toBe(250)
  })

  test.each([
    ["limit=abc&offset=-1", 100, 0],
    ["limit=9223372036854775807&offset=9007199254740991", 1000, 2_147_483_647],
    [`limit=${"9".repeat(400)}&offset=9223372036854775808`, 1000, 2_147_483_647],
    ["limit=+5&offset=%2B5", 5, 5],
    ["limit=10%00&offset=1_0", 100, 0],
    ["limit[]=10", 100, 0],
    ["limit=&offset=", 100, 0],
    ["limit=2147483647", 1000, 0],
  ])("never fail on paging values: %s", async (query, first, offset) => {
    const { status } = await send(`${LIST}?${query}`)
    expect(status).toBe(200)
    expect(rest.executed.at(-1)?.variables).toMatchObject({ first, offset })
  })

  test.each(["created_by=abc", "created_by=999999999999", "date_from=soon", "order=__proto__"])(
    "name a filter that cannot be read: %s",
    async (query) => {
      const { status, json } = await send(`${LIST}?${query}`)
      expect(status).toBe(400)
      expect(json.attr).toBe(query.split("=")[0])
    },
  )

  test.each(["pinned=true", "pinned=false", "pinned=", "pinned"])(
    "take any value of pinned for what it asks: %s",
    async (query) => {
      expect((await send(`${LIST}?${query}`)).status).toBe(200)
      expect(rest.executed.at(-1)?.variables).toMatchObject({ filter: { pinned: true } })
    },
  )

  test("read filters, relative times and order", async () => {
    await send(`${LIST}?created_by=7&user=x&pinned=true&date_from=-1d&date_to=2024-02-29&order=-name&short_id=%00`)
    expect(rest.executed.at(-1)?.variables).toMatchObject({
      orderBy: "NAME",
      descending: true,
      filter: {
        createdBy: 7,
        mine: true,
        pinned: true,
        modifiedFrom: "2024-02-28T12:00:00.000Z",
        modifiedTo: "2024-02-29T00:00:00.000Z",
        shortId: "\uFFFD",
      },
    })
  })
})

describe("answers that a client has already", () => {
  test("are not sent again", async () => {
    const first = await send(LIST)
    const tag = first.headers.get("etag") ?? ""
    expect([tag.slice(0, 3), first.headers.get("cache-control")]).toEqual(['W/"', "private, no-cache"])
    const again = await send(LIST, { headers: { "If-None-Match": tag } })
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag])
    answer = () => ({ page: { totalCount: 0, nodes: [] } })
    expect((await send(LIST, { headers: { "If-None-Match": tag } })).json.count).toBe(0)
  })

  test("are none for whoever has no right to see them", async () => {
    const tag = (await send(LIST)).headers.get("etag") ?? ""
    expect((await send(LIST, { key: null, headers: { "If-None-Match": tag } })).status).toBe(401)
  })

  test("are only those of reading requests", async () => {
    expect((await send(LIST, { method: "POST" })).headers.get("etag")).toBeNull()
    expect((await send(LIST, { method: "HEAD" })).headers.get("etag")).toMatch(/^W/)
  })
})

test("long answers are sent compressed to clients that accept it", async () => {
  answer = () => ({ page: { totalCount: 250, nodes: Array.from({ length: 100 }, () => PLAYLIST) } })
  const whole = await send(LIST, { headers: { "Accept-Encoding": "identity" } })
  const packed = await send(LIST, { headers: { "Accept-Encoding": "br, gzip" } })
  expect([whole, packed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "br"])
  expect(packed.text).toBe(whole.text)
  expect(packed.headers.get("etag")).toBe(whole.headers.get("etag"))
  expect(Number(packed.headers.get("content-length")) * 5).toBeLessThan(Number(whole.headers.get("content-length")))
})

test("every answer is observed with the id of its row", async () => {
  await send(LIST)
  expect(rest.observed.at(-1)).toEqual({ routeId: "session_recording_playlists_list", status: 200 })
})

test("a client that sends far too much still reads why it was refused", async () => {
  const { status, json } = await send(LIST, { method: "POST", rawBody: " ".repeat(50 * 1024 * 1024) })
  expect({ status, json }).toMatchObject({ status: 413, json: { code: "payload_too_large" } })
})

test("connections are kept for the next request, also when a small body went unread", async () => {
  const { headers } = await send("/api/environments/1/query/check_auth_for_async", { method: "POST", body: { a: 1 } })
  expect(headers.get("connection")).toBe("keep-alive")
  expect((await send(LIST)).headers.get("connection")).toBe("keep-alive")
})
