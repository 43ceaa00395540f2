import { beforeAll, describe, expect, test } from "@jest/globals"
import { Validator } from "@seriousme/openapi-schema-validator"
import { MARK, plantRecords, type RecordIds } from "../support/matrix/planted-records.js"
import type { OpenApiDocument } from "../support/openapi/document.js"
import { type GeneratedRequest, generateRequests } from "../support/openapi/generated-requests.js"
import { findAcceptedMisspellings } from "../support/openapi/refuse-misspelt.js"
import { schemaMisfit } from "../support/openapi/schema-misfit.js"
import { ownServer } from "../support/own-server.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const AT_ONCE = 4

const { api } = ownServer()
let document: OpenApiDocument
let ids: RecordIds

beforeAll(async () => {
  document = (await api.get<OpenApiDocument>("/api/schema/")).body
  ids = await plantRecords(api, 1, PROJECT_KEY, MARK)
})

/** What the document does not say of an answer; null when all is as documented. */
async function faultOf({ operation, method, path, body, contentType }: GeneratedRequest): Promise<string | null> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${api.personalKey}`,
      ...(body !== undefined && { "content-type": contentType ?? "application/json" }),
    },
    body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const documented = operation.responses[String(response.status)]
  if (documented === undefined) return `status ${response.status} is not documented: ${text.slice(0, 200)}`
  if (response.status >= 500) return `status ${response.status}: ${text.slice(0, 200)}`
  if (documented.content === undefined)
    return text === "" ? null : `${response.status} should have no body: ${text.slice(0, 200)}`
  const mediaType = (response.headers.get("content-type") ?? "none").split(";")[0] ?? ""
  const content = documented.content[mediaType]
  if (content === undefined) return `${response.status} comes as ${mediaType}: ${text.slice(0, 200)}`
  if (mediaType !== "application/json") return null
  return schemaMisfit(JSON.parse(text), content.schema, document.components.schemas)
}

describe("the OpenAPI document", () => {
  test("is valid, by the schema of OpenAPI", async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    )
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  test("gives clients types by which the compiler refuses what is misspelt, and nothing else", async () => {
    expect(await findAcceptedMisspellings(document)).toBe("")
  })

  test("names every operation once, and a scope for each that needs a key", () => {
    const operations = Object.values(document.paths).flatMap((one) => Object.values(one))
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(operations.length).toBeGreaterThan(60)
  })

  test("says what the server does, for good requests and for broken ones", async () => {
    const requests = generateRequests(document, ids)
    expect(requests.length).toBeGreaterThan(1000)
    const faults: string[] = []
    const check = async (request: GeneratedRequest): Promise<void> => {
      const fault = await faultOf(request)
      if (fault !== null) faults.push(`${request.method} ${request.path.slice(0, 150)} with ${request.twist}: ${fault}`)
    }
    const reading = requests.filter(({ method }) => method === "GET")
    for (let from = 0; from < reading.length; from += AT_ONCE)
      await Promise.all(reading.slice(from, from + AT_ONCE).map(check))
    // One after the other: several changes of one record at once are another test's matter.
    for (const request of requests.filter(({ method }) => method !== "GET")) await check(request)
    expect(faults).toEqual([])
  }, 300_000)
})
