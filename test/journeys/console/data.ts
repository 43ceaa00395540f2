import { expect, test } from "@jest/globals"
import { findEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { openPool } from "../../../src/platform/postgres/open-pool.js"
import { appendToLog } from "../../support/append-to-log.js"
import { type ConsolePages, choose, findBarriers, OWNER } from "../../support/console-pages.js"
import { waitFor } from "../../support/wait-for.js"
import { PROJECT_KEY } from "../../support/waymark-process.js"

const PATH = "/project/@current/data"

interface Plugins {
  readonly pluginConfigs: { readonly nodes: readonly { readonly number: number }[] }
}

/** What arrives, and what became of it. */
export function testData({ api, dataDirectory, open }: ConsolePages): void {
  /** Has the log what no capture would, and waits until it is known that it cannot be stored. */
  const makeLetters = async (texts: readonly string[]): Promise<void> => {
    const pool = openPool(findEmbeddedPostgres(dataDirectory) ?? "", 1, silentLogger)
    for (const eventsJson of texts)
      await appendToLog(pool, 1, [{ receivedAtMs: Date.now(), eventsJson, eventCount: 1 }])
    await pool.end()
    await waitFor("the dead letters", async () => {
      const { deadLetters } = await api.graphql<{ deadLetters: { nodes: unknown[] } }>(
        "{ deadLetters { nodes { id } } }",
      )
      return deadLetters.nodes.length === texts.length
    })
  }
  const say = async (message: string): Promise<void> => {
    const { pluginConfigs } = await api.graphql<Plugins>("{ pluginConfigs { nodes { number } } }")
    await api.changed(
      `mutation ($id: ID!, $entries: [PluginLogInput!]!) {
        appendPluginLogs(input: { pluginConfigId: $id, entries: $entries }) { entryCount userErrors { message } } }`,
      { id: pluginConfigs.nodes[0]?.number, entries: [{ type: "WARN", message }] },
    )
  }

  test("are listed by name with volumes, and lead to the events and to their properties", async () => {
    const page = await open(`${PATH}?search=sign`)
    await page.getByRole("row").filter({ hasText: "signed up" }).getByRole("link", { name: "Show" }).click()
    const plan = page.getByRole("row").filter({ has: page.getByRole("cell", { name: "plan", exact: true }) })
    await plan.getByRole("cell", { name: '"team"' }).waitFor()
    expect(new URL(page.url()).searchParams.get("event")).toBe("signed up")
    await page.getByLabel("Search").fill("nobody has this")
    await page.getByRole("heading", { name: "No properties" }).waitFor()
    await page.getByRole("tab", { name: "Events", exact: true }).click()
    await page.getByRole("button", { name: "Count again" }).click()
    await page.getByRole("link", { name: "signed up" }).click()
    await page.getByRole("heading", { name: "Events", exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get("event")).toBe("signed up")
    await page.close()
  })

  test("have names that people describe, verify and hide in place, and that are offered so", async () => {
    await api.capture({ event: "unloved", distinct_id: "ada" })
    await api.drained()
    const page = await open(PATH)
    await page.getByRole("button", { name: "Count again" }).click()
    const paid = page.getByRole("row").filter({ has: page.getByRole("link", { name: "paid", exact: true }) })
    await paid.getByRole("button", { name: "Open the row" }).click()
    const form = page.getByRole("form", { name: "Definition of paid" })
    await form.getByLabel("Description").fill("Sent when a bill is <b>paid</b>")
    await page.reload()
    await paid.getByRole("button", { name: "Open the row" }).click()
    expect(await form.getByLabel("Description").inputValue()).toBe("Sent when a bill is <b>paid</b>")
    await choose(page, "Owner", OWNER.email)
    await form.getByLabel("Verified").press("Space")
    await form.getByRole("button", { name: "Save" }).press("Enter")
    await form.getByText("Saved.").waitFor()
    await paid.getByText("Sent when a bill is <b>paid</b>").waitFor()
    await paid.getByRole("img", { name: "verified" }).waitFor()
    await paid.getByRole("cell", { name: OWNER.email }).waitFor()
    await page.getByLabel("Show").selectOption("Without a description")
    await paid.waitFor({ state: "detached" })
    const unloved = page.getByRole("row").filter({ has: page.getByRole("link", { name: "unloved", exact: true }) })
    await unloved.getByRole("button", { name: "Open the row" }).click()
    await page.getByLabel("Hidden").press("Space")
    await page.getByRole("button", { name: "Save" }).click()
    await unloved.waitFor({ state: "detached" })
    await page.getByLabel("Show").selectOption("Hidden")
    await unloved.waitFor()
    expect(new URL(page.url()).searchParams.get("shown")).toBe("hidden")
    await page.goto(`${api.url}${PATH}?tab=properties`)
    await page.getByRole("combobox", { name: "Event", exact: true }).click()
    const offered = page.getByRole("option", { name: /paid.*Sent when a bill/ })
    await offered.getByLabel("verified").waitFor()
    expect(await page.getByRole("option", { name: /unloved/ }).count()).toBe(0)
    await page.close()
  })

  test("that were changed or dropped are told by reason, with an example", async () => {
    const event = { event: "of tomorrow", timestamp: "2199-01-01T00:00:00Z", properties: { distinct_id: "ada" } }
    await api.post("/batch/", { api_key: PROJECT_KEY, batch: [event] })
    await api.drained()
    const page = await open(`${PATH}?tab=warnings`)
    const row = page.getByRole("row").filter({ hasText: "of tomorrow" })
    await row.getByText("Timestamp in future").waitFor()
    await row.getByRole("button", { name: "Open the row" }).click()
    await page.getByRole("rowheader", { name: "Distinct id" }).waitFor()
    await page.getByLabel("Ingestion").getByText("Nothing waits").waitFor()
    await page.close()
  })

  test("that could not be stored are read, tried again and removed by keyboard alone", async () => {
    await makeLetters(['[{"event":"<b>first</b>"}]', '[{"event":"second"}]'])
    const page = await open(`${PATH}?tab=letters`)
    const first = page.getByRole("row").filter({ hasText: "<b>first</b>" })
    await first.getByText("Not an event").waitFor()
    await first.getByRole("button", { name: "Open the row" }).press("Enter")
    await page.getByText('{"event":"<b>first</b>"}').waitFor()
    await first.getByRole("checkbox").press("Space")
    await page.getByRole("button", { name: "Try again (1)" }).press("Enter")
    // It is as unreadable as it was, and comes back under another number.
    await page.getByRole("button", { name: "Try again (0)" }).waitFor()
    await waitFor("the letter to come back", async () => {
      const { deadLetters } = await api.graphql<{ deadLetters: { nodes: unknown[] } }>(
        "{ deadLetters { nodes { id } } }",
      )
      return deadLetters.nodes.length === 2
    })
    await page.reload()
    await page.getByRole("button", { name: "Choose all" }).press("Enter")
    await page.getByRole("button", { name: "Remove (2)" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter")
    await page.getByRole("heading", { name: "No dead letters" }).waitFor()
    await page.close()
  })

  test("are processed by plugins, whose logs are live", async () => {
    await say("said before")
    const page = await open(`${PATH}?tab=plugins&level=warnings`)
    await page.getByRole("cell", { name: "said before" }).waitFor()
    await waitFor("the entry to be followed", async () => {
      await say("said now")
      return (await page.getByRole("cell", { name: "said now" }).count()) > 0
    })
    await page.getByLabel("Search").fill("before")
    await page.getByRole("cell", { name: "said now" }).first().waitFor({ state: "detached" })
    await page.getByRole("cell", { name: "said before" }).waitFor()
    await page.close()
  })

  test("are kept by stores that answer, and whose last backup is told", async () => {
    const page = await open(`${PATH}?tab=stores`)
    for (const store of ["PostgreSQL", "ClickHouse"])
      await page.getByRole("row").filter({ hasText: store }).getByText("answers", { exact: true }).waitFor()
    await page.getByText("All 4 shards of accepted events have a process that stores them.").waitFor()
    await page.getByText("No backup is known.").waitFor()
    await page.close()
  })

  test.each(["light", "dark"] as const)("have no barriers in the %s theme, and fit a telephone", async (theme) => {
    if (theme === "light") await makeLetters(['[{"event":"third"}]'])
    for (const tab of ["events", "properties", "warnings", "letters", "plugins", "stores"])
      for (const width of [1280, 390]) {
        const page = await open(`${PATH}?tab=${tab}`, { theme, width })
        await page.getByRole("region").getByRole("cell").first().waitFor()
        expect(await findBarriers(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
        await page.close()
      }
  })
}
