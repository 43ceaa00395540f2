import type { Clock } from "../../../kernel/clock.js"
import type { DirectRoute, RouteDoc } from "../../../kernel/direct-route.types.js"
import { AppError } from "../../../kernel/errors.js"
import { ANY_OBJECT } from "../../../kernel/json-schema.js"
import type { Reply } from "../../../kernel/reply.js"
import { noteProject } from "../../../kernel/request-note.js"
import { isRecordingPaused, presentConfigScript, presentRemoteConfig } from "../present/remote-config.js"
import type { KnownProjects } from "../projects/known-projects.store.js"

/** The settings of a project that browser SDKs load before anything else. Both throw AppError not_found for a key nobody has. */
export interface RemoteConfig {
  json(token: string, senderIp: string): Promise<Reply>
  script(token: string, senderIp: string): Promise<Reply>
}

const SOURCE = "docs/contract/sdk-wire.md#paths-that-sdks-call"
/** Long enough to spare a visit its repeated loads, short enough that switching recording off is seen soon. */
const CACHING = { "Cache-Control": "public, max-age=30" }

/** Reads them from the directory that decisions use, so they are answered while PostgreSQL is away. */
export function createRemoteConfig(projects: Pick<KnownProjects, "findByKey">, clock: Clock): RemoteConfig {
  const configOf = async (token: string, senderIp: string) => {
    const project = await projects.findByKey(token, senderIp)
    if (project === null) throw new AppError("not_found")
    noteProject(project.projectId)
    const isPaused = isRecordingPaused(project, clock.now())
    const config = {
      ...presentRemoteConfig(project, isPaused),
      ...(isPaused ? { quotaLimited: ["recordings"] } : {}),
    }
    return { project, config }
  }
  return {
    json: async (...asked) => ({ status: 200, headers: CACHING, body: (await configOf(...asked)).config }),
    script: async (...asked) => {
      const { project, config } = await configOf(...asked)
      const headers = { ...CACHING, "Content-Type": "application/javascript; charset=utf-8" }
      return { status: 200, headers, body: presentConfigScript(project.token, config) }
    },
  }
}

/** `/array/:token/config` and `/array/:token/config.js`. */
export function createRemoteConfigRoutes(config: RemoteConfig): DirectRoute[] {
  const at = (path: string, answer: RemoteConfig["json"], doc: RouteDoc): DirectRoute => ({
    path,
    methods: ["GET", "HEAD"],
    body: null,
    statuses: [200, 304],
    doc,
    answer: ({ params, senderIp }) => answer(params.token ?? "", senderIp),
  })
  return [
    at("/array/:token/config", config.json, {
      summary: "Settings a browser SDK loads first.",
      source: SOURCE,
      responseSchema: ANY_OBJECT,
    }),
    at("/array/:token/config.js", config.script, {
      summary: "The same settings as a script.",
      source: SOURCE,
      alsoAs: ["application/javascript"],
    }),
  ]
}
