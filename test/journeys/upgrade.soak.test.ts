import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { findPreviousRelease, installRelease } from "../support/previous-release.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"
import { fillServer, readAll } from "../support/whole-server.js"

const release = findPreviousRelease()
const WAITING = Array.from({ length: 200 }, (_, index) => ({ event: "waiting", distinct_id: `client-${index % 20}` }))

;(release === null ? describe.skip : describe)(`data of ${release}`, () => {
  const data = temporaryDirectory()
  let previous: { readonly main: string; remove(): void }

  beforeAll(() => {
    previous = installRelease(release ?? "")
  }, 300_000)
  afterAll(() => {
    data.remove()
    previous.remove()
  })

  test("is read by this version as it was written, with the events that were still waiting when it was killed", async () => {
    const before = new WaymarkProcess(data.path, {}, previous.main)
    const ofBefore = new WaymarkApi(await before.ready())
    await fillServer(ofBefore)
    const expected = await readAll(ofBefore)
    expect(expected).toMatchObject({ secret: '"hush"', snapshots: expect.stringContaining("https://a.test/") })
    await Promise.all(WAITING.map((event) => ofBefore.capture(event)))
    await before.kill()

    const after = new WaymarkProcess(data.path)
    try {
      const api = new WaymarkApi(await after.ready())
      await api.drained()
      expect(await api.hogql("SELECT count(), uniq(uuid) FROM events WHERE event = 'waiting'")).toEqual([[200, 200]])
      const { events, persons, ...others } = await readAll(api)
      expect(events.filter(([, event]) => event !== "waiting")).toEqual(expected.events)
      expect(persons).toEqual(expect.arrayContaining(expected.persons))
      const { events: _events, persons: _persons, ...known } = expected
      // Answers may have got fields that they did not have.
      expect(others).toMatchObject(known)
    } finally {
      await after.stop()
    }
  }, 180_000)
})
