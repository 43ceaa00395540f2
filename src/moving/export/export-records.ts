import { Readable } from "node:stream"
import { writeBackupFile } from "../../backup/backup-file.js"
import { isJsonObject, type JsonObject } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { Progress } from "../../platform/progress/progress.js"
import type { Waymark } from "../wire/waymark.js"
import type { ExportedRecords } from "./manifest.js"

/** Lists that hold what people made, and how each is read with the names that PostHog's REST API has. */
const READERS: Readonly<Record<string, (server: Waymark, project: number) => Promise<JsonObject[]>>> = {
  feature_flags: (server) => server.list("feature_flags/"),
  cohorts: async (server, project) =>
    Promise.all((await server.list("cohorts/")).map((cohort) => addMembers(server, project, cohort))),
  actions: (server) => server.list("actions/"),
  insights: (server, project) => listAll(server, project, `insights(projectId: $project, ${PAGE}) { ${INSIGHT} }`),
  dashboards: async (server, project) =>
    (await listAll(server, project, `dashboards(projectId: $project, ${PAGE}) { ${DASHBOARD} }`)).map(toDashboard),
  session_recording_playlists: async (server, project) =>
    Promise.all(
      (await server.list("session_recording_playlists/")).map((each) => addRecordings(server, project, each)),
    ),
}

const PAGE = "first: 100, after: $after"
const SAVED = `id: number short_id: shortId name description tags
  created_at: createdAt last_modified_at: lastModifiedAt`
const INSIGHT = `nodes { ${SAVED} query } pageInfo { hasNextPage endCursor }`
const DASHBOARD = `nodes { ${SAVED} pinned filters { raw }
  tiles { id x y w h text insight { id: number short_id: shortId } } } pageInfo { hasNextPage endCursor }`
const SESSIONS = "nodes { id: sessionId } pageInfo { hasNextPage endCursor }"
const MEMBERS = `persons(${PAGE}) { nodes { uuid distinct_ids: distinctIds } pageInfo { hasNextPage endCursor } }`

/**
 * Writes what people made in a project, a JSON array of each kind, as the server says it: dashboards with their tiles,
 * static cohorts with their members, collections with the ids of their recordings.
 * @throws StartupError when the server is away, or the key does not open what it must.
 */
export async function exportRecords(
  server: Waymark,
  project: number,
  folder: string,
  progress: Progress,
): Promise<ExportedRecords[]> {
  const written: ExportedRecords[] = []
  for (const [kind, read] of Object.entries(READERS)) {
    progress.show(`Project ${project}: ${kind}`)
    const records = await read(server, project)
    const content = Readable.from([Buffer.from(`${JSON.stringify(records, null, 1)}\n`)])
    const file = await writeBackupFile(folder, `project-${project}/records/${kind}.json`, content)
    written.push({ project, kind, count: records.length, file })
  }
  return written
}

async function addMembers(server: Waymark, project: number, cohort: JsonObject): Promise<JsonObject> {
  if (cohort.is_static !== true) return cohort
  const field = `cohort(projectId: $project, by: { number: ${Number(cohort.id)} }) { ${MEMBERS} }`
  return { ...cohort, members: await listAll(server, project, field) }
}

/** Sessions of a collection, those that were attached last first; what saved filters find is found anew. */
async function addRecordings(server: Waymark, project: number, playlist: JsonObject): Promise<JsonObject> {
  const shortId = JSON.stringify(playlist.short_id)
  const field = `sessionRecordingPlaylistRecordings(projectId: $project, id: ${shortId}, ${PAGE}) { ${SESSIONS} }`
  const recordings = await listAll(server, project, field)
  return { ...playlist, recordings: recordings.map(({ id = null }) => id) }
}

/** All nodes of a list of the graph, page by page: the list is the field, or `persons` of what the field finds. */
async function listAll(server: Waymark, project: number, field: string): Promise<JsonObject[]> {
  const records: JsonObject[] = []
  for (let after: string | null = null; ; ) {
    const variables: JsonObject = { project: String(project), after }
    const { data, fault } = await server.graphql(`query ($project: ID!, $after: String) { found: ${field} }`, variables)
    const found = isJsonObject(data.found) && isJsonObject(data.found.persons) ? data.found.persons : data.found
    if (!isJsonObject(found) || !Array.isArray(found.nodes) || !isJsonObject(found.pageInfo))
      throw new StartupError(
        `The server does not show ${field.split("(")[0]} of project ${project}: ${fault ?? "not found"}.`,
      )
    records.push(...found.nodes.filter(isJsonObject))
    if (found.pageInfo.hasNextPage !== true) return records
    after = String(found.pageInfo.endCursor)
  }
}

/** As PostHog has dashboards: places of tiles are layouts of the wide screen. */
function toDashboard(record: JsonObject): JsonObject {
  const tiles = Array.isArray(record.tiles) ? record.tiles.filter(isJsonObject) : []
  return {
    ...record,
    filters: isJsonObject(record.filters) ? (record.filters.raw ?? {}) : {},
    tiles: tiles.map(({ id = null, x = 0, y = 0, w = 0, h = 0, text = null, insight = null }) => ({
      id,
      layouts: { sm: { x, y, w, h } },
      text: text === null ? null : { body: text },
      insight,
    })),
  }
}
