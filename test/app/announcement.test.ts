import { describe, expect, test } from "@jest/globals"
import { toAnnouncement } from "../../src/app/announcement.js"
import { toReachableHost } from "../../src/app/reachable-host.js"

const newCredentials = { projectApiKey: "phc_p", personalApiKey: "phx_p", file: "/data/credentials.json" }
const app = { url: "http://127.0.0.1:8000", newCredentials, welcomeUrl: null }

describe("the announcement of a server", () => {
  test("shows both keys of a first start on a terminal", () => {
    const text = toAnnouncement(app, true)
    for (const shown of ["phc_p", "phx_p", "both are kept in  /data/credentials.json"]) expect(text).toContain(shown)
  })

  test("names the file of the personal key instead of the key when it is written to a journal", () => {
    const text = toAnnouncement(app, false)
    expect(text).not.toContain("phx_p")
    expect(text).toContain("phc_p")
    expect(text).toContain("personal API key  /data/credentials.json")
  })

  test("shows where the first owner signs in, also in a journal, until there is one", () => {
    const text = toAnnouncement(
      { ...app, newCredentials: null, welcomeUrl: "http://127.0.0.1:8000/welcome?token=t" },
      false,
    )
    expect(text).toContain("http://127.0.0.1:8000/welcome?token=t   (once, within 15 minutes)")
  })

  test("is one line at every later start", () => {
    const text = toAnnouncement({ ...app, newCredentials: null }, true)
    expect(text).toBe("Waymark is listening on http://127.0.0.1:8000\n")
  })
})

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["::1", "[::1]"],
  ["10.0.0.7", "10.0.0.7"],
  ["analytics.test", "analytics.test"],
])("a server that listens on %s is reached at %s", (host, reachable) => {
  expect(toReachableHost(host)).toBe(reachable)
})
