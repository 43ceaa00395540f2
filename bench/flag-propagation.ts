import { createFlags } from "./support/flags.js"
import { measure } from "./support/load.js"
import { decideBody } from "./support/payloads.js"
import { PERSONAL_KEY, PROJECT_KEY, startWaymark } from "./support/server.js"
import { startSharedStores } from "./support/shared-stores.js"
import { printTable } from "./support/table.js"

/** Two processes on shared stores: a flag is changed at one, and the other is asked until it decides so. */
const CHANGES = 200
const OTHER_FLAGS = 50

const stores = await startSharedStores()
const one = await startWaymark({ environment: stores.environment })
const other = await startWaymark({ environment: stores.environment })

const flags = `${one.url}/api/projects/@current/feature_flags/`
const headers = { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" }
const call = async <T>(method: string, url: string, body: object): Promise<T> => {
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
const groupsOf = (percentage: number): object => ({ filters: { groups: [{ rollout_percentage: percentage }] } })
const decided = async (): Promise<boolean | undefined> => {
  const asked = { token: PROJECT_KEY, distinct_id: "somebody", flag_keys: ["moving"], geoip_disable: true }
  const answer = await call<{ featureFlags: Record<string, boolean> }>("POST", `${other.url}/decide/?v=3`, asked)
  return answer.featureFlags.moving
}
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? 0
const row = (what: string, times: readonly number[]): string[] => {
  const sorted = [...times].sort((left, right) => left - right)
  return [what, percentile(sorted, 0.5).toFixed(1), percentile(sorted, 0.99).toFixed(1)]
}

try {
  await createFlags(one.url, OTHER_FLAGS)
  const { id } = await call<{ id: number }>("POST", flags, { key: "moving", active: true, ...groupsOf(0) })
  while ((await decided()) !== false);
  const sinceAsked: number[] = []
  const sinceAnswered: number[] = []
  const own: number[] = []
  for (let change = 0; change < CHANGES; change++) {
    const wanted = change % 2 === 0
    const startedAt = performance.now()
    await call("PATCH", `${flags}${id}/`, groupsOf(wanted ? 100 : 0))
    const answeredAt = performance.now()
    while ((await decided()) !== wanted);
    const seenAt = performance.now()
    own.push(answeredAt - startedAt)
    sinceAsked.push(seenAt - startedAt)
    sinceAnswered.push(seenAt - answeredAt)
  }
  printTable(
    [`${CHANGES} changes beside ${OTHER_FLAGS} flags`, "p50 ms", "p99 ms"],
    [
      row("the change itself, asked to answered", own),
      row("asked to decided by the other process", sinceAsked),
      row("answered to decided by the other process", sinceAnswered),
    ],
  )

  const byPlan = { groups: [{ properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }] }] }
  await call("POST", flags, { key: "planned", active: true, filters: byPlan })
  const isPlanned = async (distinctId: string): Promise<boolean | undefined> => {
    const asked = { token: PROJECT_KEY, distinct_id: distinctId, flag_keys: ["planned"], geoip_disable: true }
    const answer = await call<{ featureFlags: Record<string, boolean> }>("POST", `${other.url}/decide/?v=3`, asked)
    return answer.featureFlags.planned
  }
  while ((await isPlanned("nobody")) !== false);
  const sinceAcknowledged: number[] = []
  for (let change = 0; change < CHANGES; change++) {
    const event = { event: "upgraded", distinct_id: `person-${change}`, properties: { $set: { plan: "team" } } }
    await call("POST", `${one.url}/i/v0/e/`, { api_key: PROJECT_KEY, ...event })
    const acknowledgedAt = performance.now()
    while ((await isPlanned(event.distinct_id)) !== true);
    sinceAcknowledged.push(performance.now() - acknowledgedAt)
  }
  process.stdout.write("\n")
  printTable(
    [`${CHANGES} person properties set at one process`, "p50 ms", "p99 ms"],
    [row("acknowledged to decided by the other process", sinceAcknowledged)],
  )

  const load = { url: `${other.url}/decide?v=3`, body: decideBody, connections: 8 }
  const normal = await measure(load)
  stores.freezeRedis()
  const hung = await measure(load)
  stores.thawRedis()
  process.stdout.write("\n")
  printTable(
    [`/decide, ${OTHER_FLAGS} flags`, "ratio", "p50 ms", "p99 ms", "failures"],
    [
      ["with Redis", "1.00", normal.p50Ms.toFixed(1), normal.p99Ms.toFixed(1), String(normal.failures)],
      [
        "with Redis hung",
        (hung.requestsPerSecond / normal.requestsPerSecond).toFixed(2),
        hung.p50Ms.toFixed(1),
        hung.p99Ms.toFixed(1),
        String(hung.failures),
      ],
    ],
  )
} finally {
  await Promise.all([one.stop(), other.stop()])
  await stores.stop()
}
