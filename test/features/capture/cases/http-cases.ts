import { expect, test } from "@jest/globals"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { buildCaseRequest } from "./build-request.js"
import type { CaptureDriver } from "./capture-driver.js"
import { captureCases, type HttpCase } from "./case-files.js"

/** What cannot be attributed is not acknowledged (`docs/contract/capture.md#project-keys`). */
const DECIDED_STATUS: ReadonlyMap<string, number> = new Map([["CAP-037", 503]])

export interface HttpCaseOptions {
  /**
   * A driver that has stored nothing yet; for a case with a failing key store its directory must fail, and what an operator
   * has set (`settingsOf`) must hold.
   */
  readonly createDriver: (givenCase: HttpCase) => Promise<CaptureDriver>
  readonly nowMs: () => number
}

/** Every black-box case of capture.json as a test against a driver. */
export function runHttpCases({ createDriver, nowMs }: HttpCaseOptions): void {
  const cases = captureCases().filter((one): one is HttpCase => one.kind === "http")
  for (const one of cases)
    test(`${one.id}: ${one.title}`, async () => {
      const driver = await createDriver(one)
      const wanted = one.recommended ?? one.upstream
      const answer = await driver.send(buildCaseRequest(one.request, nowMs()))
      expect(answer.status).toBe(DECIDED_STATUS.get(one.id) ?? wanted.status ?? 200)
      if (answer.status === wanted.status) expectBody(answer.text, wanted)
      if (answer.status >= 400) expectErrorBody(answer.text)
      const { then } = one.request
      if (then !== undefined)
        expect((await driver.send(buildCaseRequest(then, nowMs()))).status).toBe(one.upstream.then)
      await expectStored(driver, one, answer.status)
    })
}

function expectBody(
  text: string,
  { body, body_contains: contained, text_contains: fragment }: HttpCase["upstream"],
): void {
  if (body === "") expect(text).toBe("")
  else if (body !== undefined) expect(JSON.parse(text)).toEqual(body)
  if (contained !== undefined) expect(JSON.parse(text)).toMatchObject(contained)
  if (fragment !== undefined) expect((JSON.parse(text) as JsonObject).detail).toContain(fragment)
}

/** The one wire error body, capture included (`docs/contract/management.md#error-body`). */
export function expectErrorBody(text: string): void {
  expect(JSON.parse(text)).toMatchObject({
    type: expect.any(String),
    code: expect.any(String),
    detail: expect.any(String),
  })
  expect(JSON.parse(text)).toHaveProperty("attr")
}

async function expectStored(
  driver: CaptureDriver,
  { expect: wanted = {}, recommended }: HttpCase,
  status: number,
): Promise<void> {
  const stored = await driver.stored()
  const count = recommended?.stored_count ?? wanted.stored_count
  if (count !== undefined) expect(stored).toHaveLength(status >= 500 ? 0 : count)
  if (wanted.order !== undefined) expect(stored.map(({ event }) => event)).toEqual(wanted.order)
  if (wanted.lanes !== undefined) {
    const { warnings: _turnedIntoWarnings, ...lanes } = wanted.lanes
    expect(stored.map(({ event }) => event).sort()).toEqual(Object.values(lanes).flat().sort())
  }
  for (const [index, { event, distinct_id: distinctId, uuid, ip }] of (wanted.stored ?? []).entries()) {
    const found = stored[index]
    if (event !== undefined) expect(found?.event).toBe(event)
    if (distinctId !== undefined) expect(found?.distinctId).toBe(distinctId)
    if (uuid === "<generated v7>") expect(found?.uuid).toMatch(/^.{8}-.{4}-7/)
    if (ip !== undefined) expect(found?.properties.$ip ?? found?.clientIp).toBe(ip)
  }
}
