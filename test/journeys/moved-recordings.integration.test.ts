import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Browser } from "playwright-core"
import type { ExportManifest } from "../../src/moving/export/manifest.js"
import { runAdminCommand } from "../support/admin-command.js"
import { hasChromium, newVisitor, servePage, startBrowser } from "../support/browser.js"
import { CaseProject } from "../support/case-project.js"
import { inflateItem, type RecordedItem, replay } from "../support/rrweb-player.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

declare const posthog: {
  get_session_id(): string
  get_distinct_id(): string
  sessionRecording?: { status: string }
}

const pageHtml = (apiUrl: string): string => `<!doctype html><title>Kaffe</title>
<style>.chosen { background: rgb(255, 220, 0) }</style>
<p>Smörgås ☕</p><button id="buy">Köp nu</button><input id="name"><ul id="menu"></ul>
<script>
  document.getElementById("buy").addEventListener("click", () => {
    const added = document.getElementById("menu").appendChild(document.createElement("li"))
    added.className = "chosen"
    added.textContent = "Größe <b>2</b>"
    console.error("sold out")
  })
</script>
<script src="/sdk.js"></script>
<script>
  posthog.init("${PROJECT_KEY}", {
    api_host: "${apiUrl}",
    disable_compression: false,
    feature_flag_request_timeout_ms: 60_000,
  })
</script>`

const DAY_MS = 86_400_000
/** Whose it is, what somebody did with it, and what counts by the batches in which it came. */
const LEFT_ASIDE = "person ongoing viewed viewers active_seconds inactive_seconds activity_score".split(" ")

const describeMove = (): void => {
  const live = copyOfTemplate("server")
  const scratch = temporaryDirectory()
  const inScratch = (name: string): string => join(scratch.path, name)
  const server = new WaymarkProcess(live.path)
  let api: WaymarkApi
  let browser: Browser
  let target: CaseProject
  let sessionId: string
  let file: string

  const recordingsOf = (project: number): string => `/api/environments/${project}/session_recordings/`

  /** What lists show of a recording; null when there is none. */
  async function find(project: number, id: string) {
    const { status, body } = await api.get<Record<string, unknown>>(`${recordingsOf(project)}${id}/`)
    const shown = Object.entries(body).filter(([name]) => !LEFT_ASIDE.includes(name))
    return status === 200 ? Object.fromEntries(shown) : null
  }

  /** All items as players read them, in order of time, nothing compressed. */
  async function readItems(project: number, id: string): Promise<RecordedItem[]> {
    const path = `${recordingsOf(project)}${id}/snapshots/`
    const { sources } = (await api.get<{ sources: object[] }>(path)).body
    const items: RecordedItem[] = []
    for (const key of sources.keys()) {
      const text = (await api.get<string>(`${path}?source=blob_v2&start_blob_key=${key}&end_blob_key=${key}`)).body
      const lines = text.trim().split("\n")
      items.push(...lines.map((line) => inflateItem((JSON.parse(line) as [string, RecordedItem])[1])))
    }
    return items.toSorted((one, other) => one.timestamp - other.timestamp)
  }

  const runImport = (...files: string[]) =>
    runAdminCommand(["import", "posthog-recordings", ...files, "--to", api.url], {
      DATA_DIR: inScratch("importer"),
      PROJECT_KEY: target.token,
      PERSONAL_KEY,
    })
  const runExport = (to: string) =>
    runAdminCommand(["export", "--to", to, "--recordings", "--project", "1"], { DATA_DIR: live.path })

  beforeAll(async () => {
    const [url, started] = await Promise.all([server.ready(), startBrowser()])
    api = new WaymarkApi(url)
    browser = started
    target = await CaseProject.create(api, "moved")
    const sdk = join(createRequire(import.meta.url).resolve("posthog-js/package.json"), "../dist/array.full.js")
    const pages = await servePage(pageHtml(api.url), sdk)
    const page = await (await newVisitor(browser)).newPage()
    await page.goto(pages.url)
    await waitFor("recording to begin", () => page.evaluate(() => posthog.sessionRecording?.status === "active"))
    sessionId = await page.evaluate(() => posthog.get_session_id())
    for (let time = 0; time < 3; time++) await page.click("#buy")
    await page.focus("#name")
    await page.keyboard.type("kaffe!")
    await waitFor("all that was done to be stored", async () => {
      const { body } = await api.get<{ keypress_count: number; click_count: number }>(`${recordingsOf(1)}${sessionId}/`)
      return body.keypress_count >= 6 && body.click_count === 3
    })
    await page.close()
    await pages.close()
    await api.drained()
    expect(await runExport(inScratch("export"))).toMatchObject({ code: 0, stderr: "" })
    const manifest = JSON.parse(readFileSync(inScratch("export/manifest.json"), "utf8")) as ExportManifest
    const recording = manifest.recordings.find((one) => one.sessionId === sessionId)
    file = join(inScratch("export"), recording?.file.path ?? "")
  })
  afterAll(async () => {
    await browser?.close()
    await server.stop()
    live.remove()
    scratch.remove()
  })

  const exportedItems = (): (RecordedItem & { windowId: string })[] =>
    gunzipSync(readFileSync(file))
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))

  test("is a file of events of rrweb in order of time, that its own player plays", async () => {
    const items = exportedItems()
    const times = items.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(items.some((item) => "cv" in item)).toBe(false)
    expect(JSON.stringify(items)).toContain("Smörgås ☕")
    const replayed = await replay(await (await newVisitor(browser)).newPage(), items)
    expect(replayed.elements.filter((element) => element.includes("chosen"))).toHaveLength(3)
  })

  test("is shown by another project with the same counts, and plays to the same page", async () => {
    const { code, stdout, stderr } = await runImport(file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const items = exportedItems().length - 1
    expect(stdout.trim()).toBe(`1 recordings came over with ${items} items, 0 there before.`)
    await api.drained()
    const here = await find(1, sessionId)
    expect(here).toMatchObject({ click_count: 3, keypress_count: 6, console_error_count: 3 })
    expect(await find(target.id, sessionId)).toEqual(here)
    const played = await readItems(target.id, sessionId)
    expect(played).toEqual(await readItems(1, sessionId))
    const [there, before] = [await newVisitor(browser), await newVisitor(browser)]
    expect(await replay(await there.newPage(), played)).toEqual(
      await replay(await before.newPage(), await readItems(1, sessionId)),
    )
  })

  test("is passed over when it is imported again, and not written again when nothing has come to it", async () => {
    expect((await runImport(file)).stdout.trim()).toBe("0 recordings came over with 0 items, 1 there before.")
    const before = readFileSync(file)
    writeFileSync(file, Buffer.alloc(before.length))
    expect(await runExport(inScratch("export"))).toMatchObject({ code: 0 })
    // Of the same length: what is there by the manifest is not read.
    expect(readFileSync(file)).toEqual(Buffer.alloc(before.length))
    writeFileSync(file, before)
  })

  test("may be weeks old, and of the file that PostHog's player exports", async () => {
    const agoMs = 20 * DAY_MS
    const snapshots = exportedItems()
      .slice(1)
      .map((item) => ({ ...item, timestamp: item.timestamp - agoMs }))
    const exported = { version: "2023-04-28", data: { id: "of-posthog", person: { distinct_ids: ["zoe"] }, snapshots } }
    writeFileSync(inScratch("old.json"), JSON.stringify(exported))
    expect(await runImport(inScratch("old.json"))).toMatchObject({ code: 0, stderr: "" })
    await api.drained()
    expect(await find(target.id, "of-posthog")).toMatchObject({ distinct_id: "zoe", click_count: 3, keypress_count: 6 })
    const query = `?date_from=${new Date(Date.now() - agoMs - DAY_MS).toISOString()}`
    const { body } = await api.get<{ results: { id: string }[] }>(`${recordingsOf(target.id)}${query}`)
    expect(body.results.map(({ id }) => id).toSorted()).toEqual([sessionId, "of-posthog"].toSorted())
  })

  test("is left out with its place where a line is no item, and refused where a file is no recording", async () => {
    const lines = [{ type: 4, timestamp: Date.now(), data: { href: "https://a.test/" } }, { type: 3 }]
    writeFileSync(inScratch("broken.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"cut`)
    expect((await runImport(inScratch("broken.jsonl"))).stdout.trim().split("\n")).toEqual([
      "1 recordings came over with 1 items, 0 there before.",
      "  left out: invalid_item, 2 rows, such as broken.jsonl line 2; broken.jsonl line 3",
    ])
    writeFileSync(inScratch("no_id.jsonl"), JSON.stringify(lines[0]))
    expect((await runImport(inScratch("no_id.jsonl"))).stdout).toContain("left out: invalid_session_id, 1 rows")
    writeFileSync(inScratch("none.json"), "[]")
    const { code, stderr } = await runImport(inScratch("none.json"))
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("none.json is no recording") })
  })
}

if (hasChromium()) describe("a recording that moves", describeMove)
else test.todo("a recording that moves, where Chromium is installed")
