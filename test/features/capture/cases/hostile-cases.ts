import { expect, test } from "@jest/globals"
import { buildHostileRequest } from "./build-request.js"
import type { CaptureDriver, StoredEvent, WireAnswer } from "./capture-driver.js"
import { type HostileEntry, hostileEntries } from "./case-files.js"
import { expectErrorBody } from "./http-cases.js"

/**
 * What a corpus leaves to us ("documented"): the status, and how many events are stored. One entry overrules its corpus:
 * `cap-batch-empty` expects 200 there, where the contract says 400 (`docs/contract/capture.md#body-shapes`).
 */
const DOCUMENTED: Readonly<Record<string, readonly [status: number, stored: number]>> = {
  "cap-blank-event": [200, 0],
  "cap-num-did": [200, 1],
  "cap-false-did": [200, 1],
  "cap-did-10k": [200, 1],
  "cap-props-arr": [200, 0],
  "cap-props-str": [200, 0],
  "cap-props-num": [200, 0],
  "cap-props-jsonstr": [200, 0],
  "cap-dup-keys": [200, 1],
  "cap-1e400": [200, 1],
  "cap-keys-100k": [200, 0],
  "cap-str-19mb": [200, 0],
  "cap-ts-00": [200, 1],
  "cap-ts-03": [200, 1],
  "cap-ts-05": [200, 1],
  "cap-ts-08": [200, 1],
  "cap-ts-09": [200, 1],
  "cap-ts-10": [200, 1],
  "cap-ts-12": [200, 1],
  "cap-ts-14": [200, 1],
  "cap-ts-19": [200, 1],
  "cap-ts-24": [200, 1],
  "cap-skew-future": [200, 1],
  "cap-sent-at-skew": [200, 1],
  "cap-set-and-unset": [200, 1],
  "cap-group-6th": [200, 50],
  "cap-ppp-string": [200, 1],
  "cap-survey-no-id": [200, 1],
  "cap-sys-ip": [200, 1],
  "cap-batch-empty": [400, 0],
  "cap-batch-hist-nots": [200, 1],
  "cap-ct-xml": [200, 1],
  "zip-trail": [400, 0],
  "zip-zlib": [200, 1],
  "zip-rawdeflate": [200, 1],
  "zip-noheader": [200, 1],
  "zip-bomb-json-10m": [200, 0],
}

/** Every entry of a hostile corpus that has bytes, as a test against a driver. `ownProject` is that of `phc_TEST`. */
export function runHostileCases(
  corpus: "capture-bodies" | "compressed" | "numbers-paging",
  { createDriver, ownProject }: { createDriver: () => Promise<CaptureDriver>; ownProject: number },
): void {
  for (const entry of hostileEntries(corpus)) {
    const request = buildHostileRequest(entry)
    if (request === null) continue
    test(`${entry.id} (${entry.why}): ${entry.expect ?? "store"}`, async () => {
      const driver = await createDriver()
      const answer = await driver.send(request)
      const stored = await driver.stored()
      if (answer.status >= 400) expectErrorBody(answer.text)
      expect(stored.every(({ projectId }) => projectId === ownProject)).toBe(true)
      expectOutcome(entry, answer, stored)
    })
  }
}

function expectOutcome(entry: HostileEntry, { status, headers }: WireAnswer, stored: readonly StoredEvent[]): void {
  const documented = DOCUMENTED[entry.id]
  if (documented !== undefined) {
    expect([status, stored.length]).toEqual(documented)
    return
  }
  switch (entry.expect) {
    case "200-dropped":
      expect([status, stored.length, headers["x-dropped-events"]]).toEqual([200, 0, "1"])
      return
    case "200-one-stored":
      expect([status, stored.length, headers["x-dropped-events"]]).toEqual([200, 1, "6"])
      return
    case "store-replaced":
      expect([status, JSON.stringify(stored[0]?.properties)]).toEqual([200, expect.stringContaining("\uFFFD")])
      return
    case "4xx":
    case "413-or-4xx":
      expect([Math.floor(status / 100), stored.length]).toEqual([4, 0])
      return
    case "413":
      expect([status, stored.length]).toEqual([413, 0])
      return
    case "200":
      expect(status).toBe(200)
      return
    case undefined:
      expect([status, JSON.stringify(stored[0]?.properties.n)]).toEqual([200, entry.js_roundtrip || expect.any(String)])
      return
    default:
      expect(status).toBe(200)
      expect(stored.length).toBeGreaterThan(0)
  }
}
