import { expect, test } from "@jest/globals"
import {
  createServerHealth,
  type ServerHealthDependencies,
} from "../../../src/features/server-health/server-health.service.js"
import { systemClock } from "../../../src/platform/clock/system-clock.js"

const away = (): Promise<never> => Promise.reject(new Error("away"))
let asked = 0
const IN_ORDER: ServerHealthDependencies = {
  probes: [
    { store: "postgres", probe: async () => void asked++ },
    { store: "clickhouse", probe: async () => undefined },
  ],
  facts: {
    readPostgres: async () => ({ usedBytes: 10, freeBytes: null, lastBackupAt: new Date(0) }),
    readClickHouse: async () => ({ usedBytes: 20, freeBytes: 30 }),
  },
  readLag: async () => ({ oldestUnstoredSeconds: 0, shardsWithoutOwner: 0, shardCount: 4 }),
  captureRefusal: () => null,
  clock: systemClock,
}

test("tells of each store that it answers, how fast, and what it says of itself", async () => {
  const health = await createServerHealth(IN_ORDER)()
  expect(health).toMatchObject({
    stores: [
      { store: "postgres", isReachable: true, latencyMs: expect.any(Number), usedBytes: 10, freeBytes: null },
      { store: "clickhouse", isReachable: true, usedBytes: 20, freeBytes: 30 },
    ],
    shardCount: 4,
    shardsWithoutOwner: 0,
    captureRefusal: null,
    lastBackupAt: new Date(0),
  })
})

test("tells that a store does not answer, and leaves out what only that store knows", async () => {
  const health = await createServerHealth({
    ...IN_ORDER,
    probes: [
      { store: "postgres", probe: away },
      { store: "clickhouse", probe: async () => undefined },
    ],
    facts: { ...IN_ORDER.facts, readPostgres: away },
    readLag: away,
    captureRefusal: () => "disk",
  })()
  expect(health).toMatchObject({
    stores: [
      { store: "postgres", isReachable: false, latencyMs: null, usedBytes: null, freeBytes: null },
      { store: "clickhouse", isReachable: true, usedBytes: 20 },
    ],
    oldestUnstoredSeconds: null,
    shardCount: null,
    lastBackupAt: null,
    captureRefusal: "disk",
  })
})

test("asks the stores once for all who look at the same time", async () => {
  const read = createServerHealth(IN_ORDER)
  asked = 0
  await Promise.all([read(), read(), read()])
  await read()
  expect(asked).toBe(1)
})
