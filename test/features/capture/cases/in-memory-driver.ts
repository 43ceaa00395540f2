import { createCaptureEndpoint } from "../../../../src/features/capture/capture.endpoint.js"
import { CaptureService } from "../../../../src/features/capture/capture.service.js"
import type { IngestionWarning, ProjectKeyDirectory } from "../../../../src/features/capture/index.js"
import { AppError, toPublicError, toWireErrorBody } from "../../../../src/kernel/errors.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { decodeText } from "../../../../src/transport/wire/decode-body.js"
import { InMemoryIngestLog } from "../../../support/in-memory-ingest-log.js"
import type { CaptureDriver, WireAnswer, WireRequest } from "./capture-driver.js"

export const NOW_MS = Date.UTC(2026, 10, 21, 12)
export const OWN_PROJECT = 1
export const OTHER_PROJECT = 2

const KEYS: ReadonlyMap<string, number> = new Map([
  ["phc_test", OWN_PROJECT],
  ["phc_TEST", OWN_PROJECT],
  ["phc_OTHER", OTHER_PROJECT],
])

export const knownKeys: ProjectKeyDirectory = {
  find: async (token) => {
    const id = KEYS.get(token)
    return id === undefined ? null : { id: asProjectId(id) }
  },
}

/** The same projects with settings. */
export const keysWithSettings = (settings: JsonObject): ProjectKeyDirectory => ({
  find: async (token) => {
    const project = await knownKeys.find(token)
    return project && { ...project, settings }
  },
})

export const failingKeys: ProjectKeyDirectory = { find: () => Promise.reject(new Error("no store")) }

/** UUIDs of version 7 that count from 1, so that a failure reads the same on every run. */
export function createCountingUuids(): () => string {
  let count = 0
  return () => `00000000-0000-7000-8000-${String(++count).padStart(12, "0")}`
}

export interface InMemoryDriver extends CaptureDriver {
  readonly warnings: readonly IngestionWarning[]
}

/** The decoder, the endpoint and the service as they are, with key directory and ingest log in memory. */
export function createInMemoryDriver(projectKeys: ProjectKeyDirectory = knownKeys): InMemoryDriver {
  const ingestLog = new InMemoryIngestLog()
  const warnings: IngestionWarning[] = []
  const service = new CaptureService({
    projectKeys,
    ingestLog,
    warnings: {
      record: (_projectId, told) => {
        for (const warning of told) warnings.push(warning)
      },
    },
    newUuid: createCountingUuids(),
  })
  const endpoint = createCaptureEndpoint(service)

  async function answer(request: WireRequest): Promise<WireAnswer> {
    const { pathname: path, searchParams: query } = new URL(request.url, "http://localhost")
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const head = { method: request.method, path, query, headers }
    const limits = endpoint.limitsOf(path)
    if (limits === null) throw new AppError("not_found")
    const refused = endpoint.refuse(head)
    if (refused !== null) return toAnswer(refused.status, refused.headers, refused.body)
    const text = await decodeText(
      { contentType: headers["content-type"], contentEncoding: headers["content-encoding"], query, body: request.body },
      limits,
    )
    const reply = await endpoint.handle({
      ...head,
      body: text.json,
      text,
      clientIp: "203.0.113.7",
      receivedAtMs: NOW_MS,
    })
    return toAnswer(reply.status, reply.headers, reply.body)
  }

  return {
    warnings,
    send: (request) =>
      answer(request).catch((thrown: unknown) => {
        if (!(thrown instanceof AppError)) throw thrown
        const shown = toPublicError(thrown, String)
        const headers: Record<string, string> = {}
        if (shown.retryAfterSeconds !== undefined) headers["Retry-After"] = String(shown.retryAfterSeconds)
        return toAnswer(shown.status, headers, JSON.stringify(toWireErrorBody(shown)))
      }),
    stored: async () =>
      ingestLog.batches.flatMap(({ projectId, clientIp, historicalMigration, events }) =>
        events.map((event) => ({ ...event, projectId, clientIp, historicalMigration })),
      ),
  }
}

function toAnswer(status: number, headers: Readonly<Record<string, string>>, text: string): WireAnswer {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { status, headers: Object.fromEntries(lowerCase), text }
}
