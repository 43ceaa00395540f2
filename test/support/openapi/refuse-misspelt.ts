import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import openapiTypes from "openapi-typescript"
import type { OpenApiDocument } from "./document.js"

/** What a client of the document writes: a line after `@ts-expect-error` has a name misspelt, the others have none. */
const USES = `
import type { components, paths } from "./openapi.js"

type Schemas = components["schemas"]
type Body<Path extends keyof paths, Method extends keyof paths[Path]> =
  paths[Path][Method] extends { requestBody?: { content: { "application/json": infer Sent } } } ? Sent : never
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> =
  paths[Path][Method] extends { responses: { 200: { content: { "application/json": infer Given } } } } ? Given : never

type Playlists = Answer<"/api/environments/{project_id}/session_recording_playlists/", "get">
export const nameOf = (page: Playlists): (string | null | undefined)[] => page.results.map(({ name }) => name)
// @ts-expect-error
export const shortIdOf = (page: Playlists) => page.results.map(({ shortid }) => shortid)

export const playlist: Body<"/api/environments/{project_id}/session_recording_playlists/", "post"> = { name: "watch" }
// @ts-expect-error
export const pinned: typeof playlist = { pined: true }

export const query: Schemas["Query"] = { kind: "HogQLQuery", query: "SELECT 1" }
// @ts-expect-error
export const wrongQuery: Schemas["Query"] = { kind: "HogQLQuery", querry: "SELECT 1" }

export const event: Body<"/i/v0/e/", "post"> = { api_key: "phc_x", event: "paid", distinct_id: "ada" }
// @ts-expect-error
export const wrongEvent: Body<"/i/v0/e/", "post"> = { api_key: "phc_x", event: "paid", distinct_ids: "ada" }

export const person: Body<"/engage/", "post"> = { api_key: "phc_x", distinct_id: "ada", $set: { plan: "pro" } }
// @ts-expect-error
export const wrongPerson: Body<"/engage/", "post"> = { api_key: "phc_x", distinct_id: "ada", $sett: {} }

export const part: Body<"/s/", "post"> = {
  api_key: "phc_x", event: "$snapshot", distinct_id: "ada", properties: { $session_id: "s", $snapshot_data: [] },
}
// @ts-expect-error
export const wrongPart: Body<"/s/", "post"> = { ...part, properties: { $snapshot_data: [] } }

const one = { event: "paid", uuid: "u", distinct_id: "ada", timestamp: "2026-01-01T00:00:00Z" }
export const batch: Body<"/i/v1/analytics/events/", "post"> = { created_at: "2026-01-01T00:00:00Z", batch: [one] }
// @ts-expect-error
export const wrongBatch: typeof batch = { created: "2026-01-01T00:00:00Z", batch: [one] }
export const outcomes = ({ results }: Answer<"/i/v1/analytics/events/", "post">) => Object.values(results)[0]?.result
`

/**
 * Makes the types of a document as openapi-typescript does for clients, and has the compiler read what a client writes.
 * Gives what the compiler says; empty when it refuses exactly what is misspelt.
 */
export async function findAcceptedMisspellings(document: OpenApiDocument): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "waymark-openapi-"))
  try {
    writeFileSync(join(folder, "openapi.ts"), await openapiTypes(JSON.parse(JSON.stringify(document))))
    writeFileSync(join(folder, "uses.ts"), USES)
    const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"]
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, join(folder, "uses.ts")], {
      encoding: "utf8",
    })
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}
