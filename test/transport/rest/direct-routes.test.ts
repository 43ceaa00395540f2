import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const ORIGIN = "https://shop.test"

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({
    direct: ({ query }) => {
      const fail = query.get("fail")
      if (fail === "key") throw new AppError("invalid_project_key")
      if (fail === "defect") throw new Error("secret of the house")
      return { status: 200, headers: { "X-Dropped-Events": "1" }, body: { status: "Ok" } }
    },
  })
})
afterAll(() => rest.close())

describe("hot paths", () => {
  test.each(["/i/v0/e/", "/batch", "/e/", "/s/", "/decide/?v=3", "/flags/?v=2"])(
    "%s hands what its body decodes to over to its route",
    async (path) => {
      const headers = { "Content-Encoding": "gzip" }
      const response = await fetch(rest.url + path, { method: "POST", headers, body: gzipSync('{"a":1}') })
      expect(response.status).toBe(200)
      expect(response.headers.get("x-dropped-events")).toBe("1")
      expect(rest.directCalls.at(-1)).toMatchObject({ method: "POST", params: {}, text: { json: { a: 1 } } })
    },
  )

  test("a route without a body is not given what comes with a request all the same", async () => {
    expect((await fetch(`${rest.url}/flags/?v=2`)).status).toBe(200)
    expect(rest.directCalls.at(-1)).toMatchObject({ method: "GET", text: { json: null } })
  })

  test.each([
    ["GET", "/e/?data=e30%3D&ip=0", 200],
    ["GET", "/e/?data=e30%3D&fail=key", 401],
    ["GET", "/e/?data=e30%3D&fail=defect", 500],
    ["PUT", "/e/", 405],
    ["GET", "/array/phc_x/config", 200],
  ])("%s %s is open to every origin, whatever its status", async (method, path, status) => {
    const response = await fetch(rest.url + path, { method, headers: { Origin: ORIGIN } })
    expect(response.status).toBe(status)
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN)
    expect(response.headers.get("access-control-allow-credentials")).toBeNull()
    expect(response.headers.get("vary")).toBe("Origin")
    expect(await response.text()).not.toContain("secret")
  })

  // posthog-js 1.0 to 1.8x, and with `api_transport: "XHR"` up to 1.39x, sends with credentials: these are its requests.
  test.each([
    ["POST", "/e/?ip=1&_=1795368846560", 200],
    ["POST", "/e/?compression=gzip-js&ip=1&_=1795368377458&ver=1.57.4", 200],
    ["POST", "/decide/?v=3&ip=1&_=1795368377461&ver=1.57.4", 200],
    ["POST", "/e/?fail=key&ip=1&_=1795368377458&ver=1.20.4", 401],
    ["GET", "/array/phc_x/config?ip=0&_=1795368377461&ver=1.257.2", 200],
    ["OPTIONS", "/s/?ip=1&_=1795368377461&ver=1.78.6", 200],
    ["OPTIONS", "/array/phc_x/config?ip=0&_=1795368377461&ver=1.257.2", 200],
    ["PUT", "/e/?_=1795368846560", 405],
  ])("%s %s may be read by a page that sent it with credentials", async (method, path, status) => {
    const body = method === "POST" ? gzipSync("{}") : null
    const response = await fetch(rest.url + path, { method, headers: { Origin: ORIGIN }, body })
    expect(response.status).toBe(status)
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN)
    expect(response.headers.get("access-control-allow-credentials")).toBe("true")
  })

  test.each(["/i/v0/e/", "/batch", "/flags/?v=2", "/array/phc_x/config.js"])(
    "%s lets browsers ask first",
    async (path) => {
      const response = await fetch(rest.url + path, {
        method: "OPTIONS",
        headers: {
          Origin: ORIGIN,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type,x-odd",
        },
      })
      expect(response.status).toBe(200)
      expect(response.headers.get("access-control-allow-headers")).toBe("content-type,x-odd")
      expect(response.headers.get("access-control-allow-methods")).toContain("OPTIONS")
    },
  )

  test("take the token of the config files from the path", async () => {
    await fetch(`${rest.url}/array/phc_abc/config.js`)
    expect(rest.directCalls.at(-1)).toMatchObject({ params: { token: "phc_abc" } })
  })

  test("refuse bodies above 20 MiB with the body of every fault", async () => {
    const response = await fetch(`${rest.url}/batch/`, { method: "POST", body: Buffer.alloc(20 * 1024 * 1024 + 1) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ type: "invalid_request", code: "payload_too_large", attr: null })
  })
})
