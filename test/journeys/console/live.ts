import { expect, test } from "@jest/globals"
import type { Page, WebSocketRoute } from "playwright-core"
import { type ConsolePages, findBarriers } from "../../support/console-pages.js"
import { waitFor } from "../../support/wait-for.js"

const PATH = "/project/@current/live"

/** Events as they come. */
export function testLive({ api, open }: ConsolePages): void {
  /** Sends events until one is shown: from then on none is missed. */
  const untilShown = async (page: Page, event: string): Promise<void> => {
    await waitFor("an event to be shown", async () => {
      await api.capture({ event, distinct_id: "probe", properties: { plan: "team", step: 0 } })
      return (await page.getByRole("cell", { name: event, exact: true }).count()) > 0
    })
  }

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    for (const width of [1280, 390]) {
      const page = await open(PATH, { theme, width })
      await untilShown(page, "seen")
      await page.getByRole("button", { name: "Open the row" }).first().click()
      await page.getByRole("rowheader", { name: "plan" }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.close()
    }
  })

  test("are filtered by name and property in the address, and have the columns of choice", async () => {
    const page = await open(PATH)
    await page.getByLabel("Event", { exact: true }).fill("chosen")
    await page.getByRole("button", { name: "Add filter" }).click()
    await page.getByLabel("Property", { exact: true }).first().fill("plan")
    await page.getByLabel("Value").fill("team")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByLabel("Columns").first().fill("step")
    await page.keyboard.press("Enter")
    await untilShown(page, "chosen")
    await page.reload()
    await page.getByText("plan is team").waitFor()
    await page.getByRole("status").getByText("live").waitFor()
    await api.capture({ event: "chosen", distinct_id: "x", properties: { plan: "free", step: 1 } })
    await api.capture({ event: "other", distinct_id: "x", properties: { plan: "team", step: 2 } })
    await untilShown(page, "chosen")
    expect(await page.getByRole("cell", { name: "other", exact: true }).count()).toBe(0)
    expect(await page.getByRole("cell", { name: "1", exact: true }).count()).toBe(0)
    await page.getByRole("columnheader", { name: "step" }).waitFor()
    await page.close()
  })

  test("say who is online, and lead to their pages", async () => {
    await api.capture({
      event: "came by",
      distinct_id: "hypatia",
      properties: { $set: { email: "hypatia@example.test" } },
    })
    await api.drained()
    const page = await open(PATH)
    const online = page.getByRole("region", { name: "Online now" })
    await online.getByText(/Online in the last 5 minutes: [1-9]/).waitFor()
    await online.getByRole("link", { name: "hypatia@example.test" }).press("Enter")
    await page.getByRole("heading", { name: "hypatia@example.test" }).waitFor()
    await page.close()
  })

  test("stand still while they are paused, and nothing of what came meanwhile is lost", async () => {
    const page = await open(PATH)
    await untilShown(page, "before")
    await page.getByRole("button", { name: "Pause" }).click()
    await api.capture({ event: "meanwhile", distinct_id: "x" })
    await page.getByRole("button", { name: /Go on \([1-9]\d* new\)/ }).waitFor()
    expect(await page.getByRole("cell", { name: "meanwhile" }).count()).toBe(0)
    await page.getByRole("button", { name: "Go on" }).click()
    await page.getByRole("cell", { name: "meanwhile" }).waitFor()
    await page.close()
  })

  test("go on after a lost connection without a gap and without a repetition", async () => {
    const page = await open("/project/@current/start")
    const sockets: WebSocketRoute[] = []
    let isAway = false
    await page.routeWebSocket("**/graphql", (socket) => {
      if (isAway) return void socket.close({ code: 1012, reason: "away" })
      sockets.push(socket)
      socket.connectToServer()
    })
    await page.goto(`${api.url}${PATH}?event=step`)
    await untilShown(page, "step")
    await api.drained()
    isAway = true
    for (const socket of sockets) await socket.close({ code: 1012, reason: "away" })
    await page.getByRole("status").getByText("connecting").waitFor()
    await api.capture({ event: "step", distinct_id: "while away" })
    await api.drained()
    isAway = false
    await page.getByRole("cell", { name: "while away" }).waitFor()
    await api.capture({ event: "step", distinct_id: "afterwards" })
    await page.getByRole("cell", { name: "afterwards" }).waitFor()
    expect(await page.getByRole("cell", { name: "while away" }).count()).toBe(1)
    await page.close()
  })
}
