import { createCaptureRoutes } from "../../../../src/features/capture/capture.routes.js"
import { CaptureService } from "../../../../src/features/capture/capture.service.js"
import type { IngestionWarning, ProjectKeyDirectory } from "../../../../src/features/capture/index.js"
import { AppError, toPublicError, toWireErrorBody } from "../../../../src/kernel/errors.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { askRoute } from "../../../support/ask-route.js"
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
  find: async (...asked) => {
    const project = await knownKeys.find(...asked)
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
    findPlace: () => null,
    projectKeys,
    ingestLog,
    warnings: {
      record: (_projectId, told) => {
        for (const warning of told) warnings.push(warning)
      },
    },
    newUuid: createCountingUuids(),
  })
  const routes = createCaptureRoutes(service)
  const answer = async (request: WireRequest): Promise<WireAnswer> => {
    const {
      status,
      headers = {},
      body = "",
    } = await askRoute(routes, request, {
      clientIp: "203.0.113.7",
      receivedAtMs: NOW_MS,
    })
    return toAnswer(status, headers, String(body))
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
