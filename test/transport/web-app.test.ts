import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { RequestHandler } from "express"
import { AppError } from "../../src/kernel/errors.js"
import { serveBrowserBundle, serveBrowserSdk } from "../../src/transport/browser-sdk.js"
import { createWebApp } from "../../src/transport/web-app.js"

const pass: RequestHandler = (_request, _response, next) => next()
const SHOP = "https://shop.test"
const folder = mkdtempSync(join(tmpdir(), "waymark-sdk-"))
let server: Server
let url: string

const settingsScript = async (token: string) => {
  if (token !== "phc_shop") throw new AppError("not_found")
  return { status: 200, headers: { "Content-Type": "application/javascript" }, body: `settings("${token}");` }
}

beforeAll(async () => {
  mkdirSync(join(folder, "dist/lib"), { recursive: true })
  writeFileSync(join(folder, "secret.js"), "secret")
  writeFileSync(join(folder, "dist/.hidden.js"), "hidden")
  writeFileSync(join(folder, "dist/array.js"), "window.sdk = 1")
  const browserSdk = serveBrowserSdk({ directory: join(folder, "dist"), version: "1.449.2" })
  const onDefect = () => "id"
  const browserBundle = serveBrowserBundle({ directory: join(folder, "dist"), settingsScript, onDefect })
  server = createServer(createWebApp({ graphql: pass, health: pass, openApi: {}, browserSdk, browserBundle, onDefect }))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { ...init, headers: { origin: SHOP, ...init.headers } })

describe("scripts of a browser SDK", () => {
  test("are there for pages of any origin, with and without a version in the query", async () => {
    for (const path of ["/static/array.js", "/static/array.js?v=1.449.2", "/static/1.449.2/array.js"]) {
      const answer = await ask(path)
      expect([answer.status, await answer.text()]).toEqual([200, "window.sdk = 1"])
      expect(answer.headers.get("content-type")).toMatch(/^text\/javascript/)
      expect(answer.headers.get("access-control-allow-origin")).toBe(SHOP)
      expect(answer.headers.get("cache-control")).toBe("public, max-age=3600")
      expect(answer.headers.get("etag")).not.toBeNull()
    }
  })

  test.each([
    "/static/surveys.js",
    "/static/1.449.3/array.js",
    "/static/1.449.2/surveys.js",
    "/static/",
    "/static/lib",
    "/static/.hidden.js",
    "/static/..%2fsecret.js",
    "/static/%2e%2e/secret.js",
    "/static/array.js%00",
  ])("are not found where there is none, and the page may see that: %s", async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get("access-control-allow-origin")).toBe(SHOP)
    expect(await answer.json()).toEqual({
      type: "invalid_request",
      code: "not_found",
      detail: "Not found.",
      attr: null,
    })
  })
})

describe("a path that is nowhere", () => {
  test("is not found by pages of other origins either, after the question whether they may ask", async () => {
    const preflight = await ask("/i/v1/logs?token=phc_x", {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-origin")).toBe(SHOP)
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST")
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type")
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull()
    const answer = await ask("/i/v1/logs?token=phc_x", { method: "POST", body: "{}" })
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([404, SHOP])
    expect((await ask("/i/v1/logs", { method: "OPTIONS" })).status).toBe(404)
  })

  // posthog-js 1.57 with `opt_in_site_apps` and the like: XMLHttpRequest with credentials.
  test("is not found by a page that asks with credentials either", async () => {
    const { status, headers } = await ask("/site_app/1/x/?ip=1&_=1795368377461&ver=1.57.4")
    expect([status, headers.get("access-control-allow-credentials")]).toEqual([404, "true"])
  })
})

describe("the SDK with the settings of a project", () => {
  test("is one script for pages of any origin, the settings first", async () => {
    const answer = await ask("/array/phc_shop/array.js")
    expect([answer.status, await answer.text()]).toEqual([200, 'settings("phc_shop");\nwindow.sdk = 1'])
    expect(answer.headers.get("content-type")).toBe("application/javascript")
    expect(answer.headers.get("access-control-allow-origin")).toBe(SHOP)
  })

  test("is only read, and a page may ask before which ways there are", async () => {
    const path = "/array/phc_shop/array.js"
    const before = await ask(path, { method: "OPTIONS", headers: { "access-control-request-method": "GET" } })
    const refused = await ask(path, { method: "POST", body: "x" })
    expect(await refused.json()).toMatchObject({ code: "method_not_allowed", detail: 'Method "POST" not allowed.' })
    expect([before.status, refused.status, (await ask(path, { method: "HEAD" })).status]).toEqual([200, 405, 200])
    for (const { headers } of [before, refused]) {
      expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS")
      expect(headers.get("access-control-allow-origin")).toBe(SHOP)
    }
  })

  test("is not found for a key nobody has, nor under another name", async () => {
    for (const path of ["/array/phc_other/array.js", "/array/phc_shop/recorder.js", "/array/%2e%2e/array.js"]) {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get("access-control-allow-origin")).toBe(SHOP)
    }
  })
})

test("an answer that comes after the server has refused to wait for it is no defect", async () => {
  const defects: unknown[] = []
  const ended: Promise<void>[] = []
  const graphql: RequestHandler = (_request, response, next) => {
    response.writeHead(503).end("stopping")
    const late = async () => void response.setHeader("Content-Type", "application/json")
    ended.push(late().catch(next))
  }
  const onDefect = (defect: unknown) => String(defects.push(defect))
  const stopping = createServer(createWebApp({ graphql, health: pass, openApi: {}, onDefect }))
  await new Promise<void>((resolve) => stopping.listen(0, "127.0.0.1", resolve))
  const answer = await fetch(`http://127.0.0.1:${(stopping.address() as AddressInfo).port}/graphql`)
  expect([answer.status, await answer.text()]).toEqual([503, "stopping"])
  await Promise.all(ended)
  expect(defects).toEqual([])
  stopping.close()
  stopping.closeAllConnections()
})
