import { describe, expect, test } from "@jest/globals"
import { createCallers } from "../support/access-matrix.js"
import { ownServer } from "../support/own-server.js"
import type { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const { api } = ownServer()

interface CaptureAnswer {
  readonly accepted: number
  readonly dropped: readonly { readonly index: number; readonly reason: string }[]
}

const sendBatch = async (batch: object[]): Promise<CaptureAnswer> => {
  const { captureBatch } = await api.changed<{ captureBatch: CaptureAnswer }>(
    `mutation ($input: CaptureBatchInput!) {
      captureBatch(input: $input) { captured { accepted dropped { index reason } } userErrors { message } } }`,
    { input: { apiKey: PROJECT_KEY, batch } },
  )
  return captureBatch
}

describe("events that products are understood by", () => {
  test("tell of flags, surveys, screens and pages, and are queried by all that they say", async () => {
    const sent = await sendBatch([
      {
        event: "$feature_flag_called",
        distinctId: "ada",
        properties: { $feature_flag: "beta", $feature_flag_response: "blue" },
      },
      { event: "bought", distinctId: "ada", properties: { "$feature/beta": "blue", "$feature/old": false } },
      { event: "survey sent", distinctId: "ada", properties: { $survey_id: "s1", $survey_response: "Så där" } },
      { event: "survey shown", distinctId: "ada", properties: { $survey_id: "s1" } },
      { event: "survey dismissed", distinctId: "bo", properties: { $survey_id: "s1" } },
      { event: "$screen", distinctId: "ada", properties: { $screen_name: "Start" } },
      { event: "$pageview", distinctId: "ada", properties: { $current_url: "https://a.example/ö?q=1" } },
      { event: "nobody's" },
    ])
    expect(sent).toEqual({ accepted: 7, dropped: [{ index: 7, reason: "MISSING_DISTINCT_ID" }] })
    await api.drained()

    expect(
      await api.hogql(
        "SELECT properties.$feature_flag, properties.$feature_flag_response, count() FROM events WHERE event = '$feature_flag_called' GROUP BY 1, 2",
      ),
    ).toEqual([["beta", "blue", 1]])
    expect(
      await api.hogql(
        "SELECT event FROM events WHERE properties.`$feature/beta` = 'blue' AND properties['$feature/old'] = false",
      ),
    ).toEqual([["bought"]])
    expect(
      await api.hogql(
        "SELECT event, count() FROM events WHERE properties.$survey_id = 's1' GROUP BY event ORDER BY event",
      ),
    ).toEqual([
      ["survey dismissed", 1],
      ["survey sent", 1],
      ["survey shown", 1],
    ])
    expect(await api.hogql("SELECT properties.$screen_name, null FROM events WHERE event = '$screen'")).toEqual([
      ["Start", null],
    ])
    expect(await api.hogql("SELECT properties.$current_url FROM events WHERE event = '$pageview'")).toEqual([
      ["https://a.example/ö?q=1"],
    ])
  })
})

describe("the lag of ingestion", () => {
  test("is told to who may read warnings, and to nobody else", async () => {
    const { createProject } = await api.changed<{ createProject: { id: number } }>(
      'mutation { createProject(input: { name: "Nebenan" }) { project { id: number } userErrors { message } } }',
    )
    const callers = await createCallers(api, ["ingestion_warning:read"], createProject.id)
    const ask = async (caller: WaymarkApi) => {
      const query = "{ ingestionLag { accepted stored oldestUnstoredSeconds } }"
      type Body = { data?: { ingestionLag: object } | null; errors?: { extensions: { code: string } }[] }
      const { body } = await caller.post<Body>("/graphql", { query })
      return body.errors?.[0]?.extensions.code ?? body.data?.ingestionLag
    }
    expect(await ask(callers.nobody)).toBe("UNAUTHENTICATED")
    expect(await ask(callers.withUnknownKey)).toBe("UNAUTHENTICATED")
    expect(await ask(callers.withoutScope)).toBe("FORBIDDEN")
    expect(await ask(callers.permitted)).toEqual({
      accepted: expect.any(Number),
      stored: expect.any(Number),
      oldestUnstoredSeconds: expect.any(Number),
    })
  })
})
