import { expect, test } from "@jest/globals"
import type { ConsolePages } from "../../support/console-pages.js"

const PERSON = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

/** How the page and its assets reach browsers. */
export function testServing({ api }: ConsolePages): void {
  const ask = (path: string, headers: Record<string, string> = PERSON) =>
    fetch(api.url + path, { headers, redirect: "manual" })

  /** Paths of the scripts and styles that the page names. */
  const readAssetPaths = async (): Promise<string[]> => {
    const html = await (await ask("/")).text()
    expect(html).not.toMatch(/<script(?![^>]* src=)/)
    return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path)
  }

  test.each(["/", "/sign-in", "/project/1", "/project/@current/events?event=paid"])(
    "the page is at %s",
    async (path) => {
      const page = await ask(path)
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(page.headers.get("cache-control")).toBe("no-cache")
      expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self'; connect-src 'self';/)
      expect(await page.text()).toContain('<div id="root">')
    },
  )

  test.each(["/api/nothing", "/static/nothing.js", "/array/none/array.js", "/e/nothing", "/nothing", "/projects"])(
    "the page is not at %s, whatever is asked for",
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )

  test("the page is for people: a program that names no kind of text at its paths finds nothing", async () => {
    expect((await ask("/project/1", { Accept: "application/json" })).status).toBe(404)
  })

  test.each(["/graphql", "/graphql/explorer"])(
    "the page has the explorer of %s, with the operation it was given",
    async (path) => {
      const answer = await ask(`${path}?query=%7Bme%7D`)
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/project/@current/graphql?query=%7Bme%7D"])
      const program = await ask("/graphql?query=%7B__typename%7D", { "Content-Type": "application/json" })
      expect(await program.json()).toMatchObject({ data: { __typename: "Query" } })
    },
  )

  test("the assets come from this server, are kept by browsers and are compressed as they like", async () => {
    const paths = await readAssetPaths()
    expect(paths.length).toBeGreaterThanOrEqual(2)
    for (const path of paths) {
      const sizes: number[] = []
      for (const encoding of ["identity", "gzip", "br"]) {
        const answer = await ask(path, { "Accept-Encoding": encoding })
        expect([path, answer.status]).toEqual([path, 200])
        expect(answer.headers.get("content-type")).toMatch(path.endsWith(".css") ? /^text\/css/ : /^text\/javascript/)
        expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding)
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
        expect(answer.headers.get("vary")).toBe("Accept-Encoding")
        expect(answer.headers.get("content-security-policy")).toContain("default-src 'self'")
        sizes.push(Number(answer.headers.get("content-length")))
        await answer.arrayBuffer()
      }
      const [plain = 0, gzipped = 0, brotli = 0] = sizes
      expect(brotli < plain && gzipped < plain).toBe(true)
    }
  })

  test("assets that do not exist are not found", async () => {
    for (const path of ["/assets/nothing.js", "/assets/..%2f..%2fmain.js", "/assets/"])
      expect((await ask(path)).status).toBe(404)
  })
}
