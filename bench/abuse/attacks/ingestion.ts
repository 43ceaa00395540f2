import { randomBytes, randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { Attack } from "../attack.types.js"
import { type Attacker, once } from "../attacker.js"

const LARGE_PERSON_BYTES = 640_000
const SMALL_EVENTS = 2_000
const WIDE_BATCHES = 3
const WIDE_BATCH_EVERY_MS = 4_000
const MERGED_IDS = 400

/** Text that does not compress away. */
const randomText = (bytes: number): string =>
  randomBytes(Math.ceil((bytes * 3) / 4))
    .toString("base64")
    .slice(0, bytes)

const hugeText = once(() => randomText(900_000))

/** Sends batches as fast as they are taken. */
const flood = (
  attacker: Attacker,
  signal: AbortSignal,
  parallel: number,
  eventsOf: (index: number) => readonly object[],
): Promise<void> =>
  attacker.repeat(parallel, signal, (index) =>
    attacker.send(
      { path: "/batch/", body: JSON.stringify({ api_key: attacker.tenant.projectKey, batch: eventsOf(index) }) },
      signal,
    ),
  )

const many = (howMany: number, make: (index: number) => object): object[] =>
  Array.from({ length: howMany }, (_, index) => make(index))

/** Events that cost more to store than to send. Every visitor of a page can read the key that they need. */
export const INGESTION_ATTACKS: readonly Attack[] = [
  {
    name: "large-person",
    needs: "project key",
    what: "Three batches of 2,000 small events of a person whose properties take 640 kB.",
    prepare: (attacker) =>
      attacker.store([
        { event: "$identify", distinct_id: "large", properties: { $set: { text: randomText(LARGE_PERSON_BYTES) } } },
      ]),
    run: async (attacker, signal) => {
      const batch = many(SMALL_EVENTS, () => ({ event: "e", distinct_id: "large" }))
      const body = JSON.stringify({ api_key: attacker.tenant.projectKey, batch })
      for (let sent = 0; sent < WIDE_BATCHES && !signal.aborted; sent++) {
        await attacker.send({ path: "/batch/", body }, signal)
        await attacker.rest(WIDE_BATCH_EVERY_MS, signal)
      }
    },
  },
  {
    name: "event-flood",
    needs: "project key",
    what: "Eight clients send batches of 1,000 events of one project, of the neighbour's shard.",
    run: (attacker, signal) => {
      const properties = { $current_url: "https://example.com/", plan: "team", seconds: 3 }
      const batch = many(1_000, (index) => ({ event: "flood", distinct_id: `person-${index % 100}`, properties }))
      return flood(attacker, signal, 8, () => batch)
    },
  },
  {
    name: "huge-events",
    needs: "project key",
    what: "Eight clients send batches of ten events of 900 kB.",
    prepare: async () => void hugeText(),
    run: (attacker, signal) =>
      flood(attacker, signal, 8, () =>
        many(10, () => ({ event: "h", distinct_id: "a", properties: { t: hugeText() } })),
      ),
  },
  {
    name: "many-persons",
    needs: "project key",
    what: "Eight clients send batches of 1,000 events, each of another new person.",
    run: (attacker, signal) =>
      flood(attacker, signal, 8, () =>
        many(1_000, () => ({ event: "$identify", distinct_id: randomUUID(), properties: { $set: { plan: "team" } } })),
      ),
  },
  {
    name: "merges",
    needs: "project key",
    what: "Four clients merge 400 new persons into one, over and over.",
    run: (attacker, signal) =>
      flood(attacker, signal, 4, (index) => {
        const heads = many(MERGED_IDS, (at) => ({ event: "e", distinct_id: `merged-${index}-${at}` }))
        const merges = many(MERGED_IDS, (at) => ({
          event: "$identify",
          distinct_id: `main-${index % 4}`,
          properties: { $anon_distinct_id: `merged-${index}-${at}` },
        }))
        return [...heads, ...merges]
      }),
  },
  {
    name: "many-definitions",
    needs: "project key",
    what: "Four clients send batches of 500 events, each with another name and twenty other properties.",
    run: (attacker, signal) =>
      flood(attacker, signal, 4, (index) =>
        many(500, (at) => ({
          event: `event ${index} ${at}`,
          distinct_id: "a",
          properties: Object.fromEntries(many(20, (key) => ({ key })).map((_, key) => [`p${index}_${at}_${key}`, key])),
        })),
      ),
  },
  {
    name: "recordings",
    needs: "project key",
    what: "Eight clients send pieces of recordings of 1 MB that does not compress.",
    run: (attacker, signal) =>
      attacker.repeat(8, signal, () => {
        const sessionId = randomUUID()
        const node = { id: 1, type: 3, textContent: randomText(1_000_000) }
        const adds = [{ parentId: 1, nextId: null, node }]
        const item = {
          type: 3,
          timestamp: Date.now(),
          data: { source: 0, texts: [], attributes: [], removes: [], adds },
        }
        const properties = {
          token: attacker.tenant.projectKey,
          distinct_id: sessionId,
          $session_id: sessionId,
          $window_id: sessionId,
          $snapshot_data: [item],
          $snapshot_bytes: 1_000_000,
        }
        const body = gzipSync(JSON.stringify([{ event: "$snapshot", uuid: randomUUID(), properties }]), { level: 1 })
        const headers = { "Content-Type": "text/plain" }
        return attacker.send({ path: "/s/?compression=gzip-js", headers, body }, signal)
      }),
  },
]
