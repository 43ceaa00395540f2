import { expect } from "@jest/globals"
import { readSessions } from "./capture-load.js"
import type { WaymarkApi } from "./waymark-api.js"
import { PROJECT_KEY } from "./waymark-process.js"

/** The session that `fillServer` records. */
export const SESSION = "0199a000-0000-7000-8000-00000000c001"

const ENVIRONMENT = "/api/environments/@current"
const LONG_AGO = "2026-03-04T05:06:07Z"

/** Makes some of each thing that a server keeps, and waits until it is stored. */
export async function fillServer(api: WaymarkApi): Promise<void> {
  const nowMs = Date.now()
  await api.capture({ event: "paid", distinct_id: "zoe", timestamp: LONG_AGO, properties: { amount: 7 } })
  await api.capture({
    event: "$identify",
    distinct_id: "zoe",
    properties: { $anon_distinct_id: "anonymous", $set: { email: "zoe@a.test" } },
  })
  await api.capture({
    event: "$groupidentify",
    distinct_id: "zoe",
    properties: { $group_type: "company", $group_key: "acme", $group_set: { size: 3 } },
  })
  const items = [
    { type: 4, timestamp: nowMs - 9_000, data: { href: "https://a.test/", width: 1, height: 1 } },
    { type: 3, timestamp: nowMs - 1_000, data: { source: 2, type: 2, id: 1, x: 1, y: 1 } },
  ]
  const recorded = {
    $session_id: SESSION,
    $window_id: "w",
    $snapshot_data: items,
    distinct_id: "zoe",
    token: PROJECT_KEY,
  }
  await api.post("/s/", [{ event: "$snapshot", properties: recorded }])
  const flags = [
    { key: "half", active: true, filters: { groups: [{ rollout_percentage: 50 }] } },
    {
      key: "secret",
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{}], payloads: { true: '"hush"' } },
    },
  ]
  for (const flag of flags) expect((await api.post("/api/projects/@current/feature_flags/", flag)).status).toBe(201)
  await api.post(`${ENVIRONMENT}/session_recording_playlists/`, { name: "kept" })
  await api.drained()
}

/** What whoever uses a server sees of it. */
export async function readAll(of: WaymarkApi) {
  const get = async (path: string) => (await of.get(`${ENVIRONMENT}/${path}`)).body
  const decide = await of.post("/decide?v=3", { api_key: PROJECT_KEY, distinct_id: "client-0" })
  return {
    events: await of.hogql(
      "SELECT uuid, event, distinct_id, person_id, properties, timestamp FROM events ORDER BY 1 LIMIT 50000",
    ),
    persons: await of.hogql("SELECT id, properties, created_at, is_identified FROM persons ORDER BY 1 LIMIT 50000"),
    groups: await of.hogql("SELECT index, key, properties FROM groups ORDER BY 1, 2"),
    sessions: await readSessions(of),
    recording: await get(`session_recordings/${SESSION}/`),
    snapshots: await get(`session_recordings/${SESSION}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`),
    playlists: await get("session_recording_playlists/"),
    flags: (await of.get("/api/projects/@current/feature_flags/")).body,
    cohorts: (await of.get("/api/projects/@current/cohorts/")).body,
    secret: (await of.get("/api/projects/@current/feature_flags/secret/remote_config/")).body,
    decisions: (decide.body as { featureFlags: unknown }).featureFlags,
  }
}
