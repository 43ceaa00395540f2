import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { toCsv } from "../../../src/transport/rest/csv.js"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const VALUES = [
  { value: "free", personCount: 2 },
  { value: "=1+1", personCount: 1 },
  { value: ["a"], personCount: 1 },
]

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({ data: () => ({ values: VALUES }) })
})
afterAll(() => rest.close())

async function get(query: string, accept = "*/*") {
  const response = await fetch(`${rest.url}/api/environments/1/persons/values/${query}`, {
    headers: { Authorization: `Bearer ${GOOD_KEY}`, Accept: accept },
  })
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

test("values are a bare list, most frequent first", async () => {
  const { status, text } = await get("?key=plan&value=fr")
  expect(status).toBe(200)
  expect(JSON.parse(text)[0]).toEqual({ name: "free", count: 2 })
  expect(rest.executed.at(-1)?.variables).toEqual({ projectId: "1", property: "plan", containing: "fr", csv: false })
})

test.each(["", "?key=", "?key=$virt_revenue"])(
  "there are none without a property that is stored: %p",
  async (query) => {
    expect(JSON.parse((await get(query)).text)).toEqual([])
  },
)

test.each([
  ["?key=plan&format=csv", "*/*"],
  ["?key=plan", "text/csv"],
])("are CSV when asked for: %s, Accept %s", async (query, accept) => {
  const { type, text } = await get(query, accept)
  expect(type).toBe("text/csv; charset=utf-8")
  expect(text).toBe('name,count\r\nfree,2\r\n\'=1+1,1\r\n"[""a""]",1\r\n')
})

test.each(["xml", "__proto__"])("have no format %s", async (format) => {
  expect((await get(`?key=plan&format=${format}`)).status).toBe(404)
})

test("CSV quotes what needs it and leaves numbers alone", () => {
  expect(toCsv(["a"], [['x,"y"\n'], [-5], [null], ["-5"], ["@x"]])).toBe(
    'a\r\n"x,""y""\n"\r\n-5\r\n\r\n\'-5\r\n\'@x\r\n',
  )
})
