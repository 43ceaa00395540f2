import { expect, test } from "@jest/globals"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { waitFor } from "../../support/wait-for.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/start"

/** From the first look to the first event. */
export function testStart({ api, open }: ConsolePages): void {
  test.each(["light", "dark"] as const)("has no barriers in the %s theme, and fits a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await page.getByText("Waiting for an event").waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("shows a snippet with the project's key for each way in", async () => {
    const page = await open(PATH)
    for (const [tab, part] of Object.entries({ Node: "new PostHog(", Python: "Posthog(", HTTP: "/i/v0/e/" })) {
      await page.getByRole("tab", { name: tab }).click()
      const snippet = page.getByRole("tabpanel").getByText(part)
      await snippet.waitFor()
      expect(await snippet.textContent()).toContain(PROJECT_KEY)
    }
    await page.close()
  })

  test("turns by itself when an event arrives, and leads to it", async () => {
    const page = await open(PATH)
    await page.getByText("Waiting for an event").waitFor()
    const arrived = page.getByText("Your event has arrived")
    await waitFor("the event to arrive", async () => {
      await api.capture({ event: "first", distinct_id: "ada" })
      return arrived.isVisible()
    })
    await page.getByText("“first”").waitFor()
    await page.getByRole("link", { name: "See live events" }).click()
    await page.getByRole("heading", { name: "Live" }).waitFor()
    await page.close()
  })

  test("is where an empty project begins; one with events begins with these", async () => {
    const { createProject } = await api.changed<{ createProject: { number: number } }>(
      `mutation { createProject(input: { name: "Empty" }) { project { number } userErrors { message } } }`,
    )
    const page = await open(`/project/${createProject.number}`)
    await page.getByRole("heading", { name: "Start" }).waitFor()
    await page.getByText("Waiting for an event").waitFor()
    await page.getByRole("button", { name: "Empty" }).click()
    await page.getByRole("menuitem").first().click()
    await page.getByRole("heading", { name: "Events" }).waitFor()
    await page.close()
  })

  test("says after half a minute what is probably wrong, and what the server has noticed", async () => {
    await api.capture({ event: "long", distinct_id: "x".repeat(300) })
    for (const _ of [1, 2]) await api.capture({ event: "lost", distinct_id: "ada" }, "phc_nobody-has-this-key")
    await api.drained()
    const page = await open(PATH)
    await page.clock.install()
    await page.reload()
    await page.getByText("Waiting for an event").waitFor()
    expect(await page.getByText("Nothing has come").isVisible()).toBe(false)
    await page.clock.fastForward(31_000)
    await page.getByText("Nothing has come for half a minute").waitFor()
    await page.getByText(/refused a key that begins with phc_nobody .*, 2 times/).waitFor()
    await page.getByText("Does the browser of your application block it?").waitFor()
    await page.getByText(/changed 1 of “long”, last .*: distinct id cut/).waitFor()
    await page.clock.resume()
    expect(await findBarriers(page)).toEqual([])
    await page.close()
  })

  test("says that this browser lets no events through, and that its clock is wrong", async () => {
    const page = await open(PATH, { mayLeave: true })
    await page.clock.install()
    await page.reload()
    await page.getByText("Waiting for an event").waitFor()
    await page.clock.fastForward(60 * 60_000)
    await page.getByText(/clock of this device is 1h ahead of that of the server/).waitFor()
    await page.route("**/i/v0/e/", (route) => route.abort("blockedbyclient"))
    await page.reload()
    await page.getByText("Waiting for an event").waitFor()
    await page.clock.fastForward(31_000)
    await page.getByText("This browser lets no event through").waitFor()
    await page.close()
  })
}
