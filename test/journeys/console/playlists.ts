import { beforeAll, expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { element, logged, recordPage, sendItems } from "../../support/recorded-pages.js"

const PATH = "/project/@current/playlists"
const RECORDINGS = "/project/@current/recordings"
const SESSIONS = { tim: "0199a000-0000-7000-8000-00000000d001", radia: "0199a000-0000-7000-8000-00000000d002" }

/** Collections of recordings, and saved filters. */
export function testPlaylists({ api, open }: ConsolePages): void {
  beforeAll(async () => {
    const startMs = Date.now() - 60_000
    for (const [index, [person, sessionId]] of Object.entries(SESSIONS).entries()) {
      const beganMs = startMs + index * 10_000
      await api.capture({ event: "wove a web", distinct_id: person, properties: { $session_id: sessionId } })
      const page = recordPage(beganMs, beganMs + 20_000, [], [element("p", {}, `Seen by ${person}`)])
      await sendItems(api, person, sessionId, [...page, logged(beganMs + 5_000, "error", "no thread")])
    }
    await api.drained()
  })

  test("are made in the list of recordings and in the player, and lead to the player and on to the next", async () => {
    const page = await open(`${RECORDINGS}?event=wove%20a%20web`)
    await page.getByRole("button", { name: "Add tim to a playlist" }).press("Enter")
    await page.getByRole("combobox", { name: "Playlist" }).click()
    await page.getByRole("option", { name: "A new one…" }).click()
    await page.getByLabel("Name").fill("Webs")
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("link", { name: "Added: open the playlist" }).waitFor()

    await page.goto(`${api.url}${RECORDINGS}/${SESSIONS.radia}`)
    await page.getByRole("button", { name: "Add to a playlist" }).click()
    await page.getByRole("combobox", { name: "Playlist" }).click()
    await page.getByRole("option", { name: "Webs" }).click()
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("link", { name: "Added: open the playlist" }).press("Enter")

    await page.getByText("Collection, recordings: 2").waitFor()
    await page.getByRole("link", { name: "radia" }).press("Enter")
    await page.getByRole("heading", { name: "radia" }).waitFor()
    await page.getByRole("link", { name: "Next" }).press("Enter")
    await page.getByRole("heading", { name: "tim" }).waitFor()
    const recorded = page.frameLocator("iframe[title='The recorded page']").frameLocator("iframe")
    await recorded.getByText("Seen by tim").waitFor()
    await page.getByRole("link", { name: "Previous" }).waitFor()
    await page.getByRole("link", { name: "Webs" }).press("Enter")
    await page.getByRole("heading", { name: "Webs" }).waitFor()
    await page.close()
  })

  test("lose a recording and get it back", async () => {
    const page = await open(`${PATH}?search=Webs`)
    await page.getByRole("link", { name: "Webs" }).click()
    await page.getByRole("button", { name: "Remove tim from the playlist" }).press("Enter")
    await page.getByRole("link", { name: "tim" }).waitFor({ state: "detached" })
    await page.getByText("Collection, recordings: 1").waitFor()
    await page.getByRole("button", { name: "Undo" }).press("Enter")
    await page.getByRole("link", { name: "tim" }).waitFor()
    await page.close()
  })

  test("keep the filters of a list of recordings, find what fits them, and give them back", async () => {
    const page = await open(`${RECORDINGS}?event=wove%20a%20web&errors=true&days=7`)
    await page.getByRole("link", { name: "tim" }).waitFor()
    await page.getByRole("button", { name: "Save the filters" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Torn webs")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Torn webs" }).waitFor()
    await page.getByRole("link", { name: "tim" }).waitFor()
    await page.getByRole("link", { name: "radia" }).press("Enter")
    await page.getByRole("link", { name: "Next" }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "Open the filters" }).press("Enter")
    await page.getByRole("heading", { name: "Recordings" }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      days: "7",
      event: "wove a web",
      errors: "true",
      playlist: expect.any(String),
    })

    await page.getByLabel("With errors on the console").uncheck()
    await page.getByRole("button", { name: "Replace the filters of the playlist" }).press("Enter")
    await page.getByRole("link", { name: "Open the filters" }).press("Enter")
    await page.getByRole("heading", { name: "Recordings" }).waitFor()
    expect(new URL(page.url()).searchParams.has("errors")).toBe(false)
    await page.close()
  })

  test("are pinned to the top, renamed, deleted and brought back", async () => {
    const page = await open(PATH)
    await page.getByRole("link", { name: "Webs", exact: true }).click()
    await page.getByRole("button", { name: "Pinned" }).press("Enter")
    await page.getByRole("button", { name: "Pinned", pressed: true }).waitFor()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Rename" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Webs of all kinds")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Webs of all kinds" }).waitFor()
    await page.goto(api.url + PATH)
    await page.getByRole("row").nth(1).getByRole("link", { name: "Webs of all kinds" }).waitFor()
    await page.getByLabel("Pinned").check()
    await page.getByRole("link", { name: "Torn webs" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Webs of all kinds" }).click()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Restore" }).waitFor()
    // By then the page knows that there is no such playlist.
    await page.waitForLoadState("networkidle")
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByRole("heading", { name: "Webs of all kinds" }).waitFor()
    await page.close()
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByRole("link", { name: "Torn webs" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.getByRole("link", { name: "Webs of all kinds" }).click()
      await page.getByRole("link", { name: "tim" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("have a source, the list of recordings, which says how many have begun since", async () => {
    const page = await open(RECORDINGS)
    await page.getByRole("link", { name: "tim" }).waitFor()
    const startMs = Date.now()
    const session = "0199a000-0000-7000-8000-00000000d003"
    await sendItems(api, "evelyn", session, recordPage(startMs, startMs + 5_000, [], [element("p", {}, "Hello")]))
    await page.getByRole("button", { name: "1 begun since: look again" }).press("Enter")
    const row = page.getByRole("row").filter({ hasText: "evelyn" })
    await row.getByText("Live", { exact: true }).waitFor()
    await page.close()
  })
}
