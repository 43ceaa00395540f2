import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import type { FlagRuleCache, RuleSourceStore } from "../../../../src/features/flags/flags.types.js"
import { createFlagRulesService } from "../../../../src/features/flags/rules/flag-rules.service.js"
import { createInProcessFlagRuleCache } from "../../../../src/features/flags/rules/in-process-flag-rule.cache.js"
import { createRuleSnapshots } from "../../../../src/features/flags/rules/rule-snapshot.store.js"
import type { RuleSource } from "../../../../src/flag-engine/definition/rule-document.types.js"
import { createRuleCompiler } from "../../../../src/flag-engine/index.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../../src/platform/pubsub/in-process-pub-sub.js"
import type { PubSub } from "../../../../src/platform/pubsub/pub-sub.js"
import { storedFlag } from "../../../flag-engine/flag-builders.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { waitFor } from "../../../support/wait-for.js"

const PROJECT = asProjectId(1)

/** A flag store in memory that counts its reads and can be down. */
class SourceInMemory implements RuleSourceStore {
  version = 1
  published = 1
  keys = ["a"]
  loads = 0
  isDown = false
  cannotLoad = false

  change(...keys: string[]): void {
    this.keys = keys
    this.version++
  }
  async load(projectId: ProjectId): Promise<RuleSource | null> {
    this.#touch()
    if (this.cannotLoad) throw new Error("a damaged row")
    this.loads++
    const flags = this.keys.map((key, index) => storedFlag({ key, filters: { groups: [] } }, index))
    return { projectId, version: this.version, timeZone: "UTC", groupTypes: [], cohorts: [], flags }
  }
  async versions(projectIds: readonly ProjectId[]): Promise<Map<ProjectId, number>> {
    this.#touch()
    return new Map(projectIds.map((id) => [id, this.version]))
  }
  async unpublished(): Promise<ProjectId[]> {
    this.#touch()
    return this.published < this.version ? [PROJECT] : []
  }
  async markPublished(_: ProjectId, version: number): Promise<void> {
    this.#touch()
    this.published = Math.max(this.published, version)
  }
  #touch(): void {
    if (this.isDown) throw new Error("PostgreSQL is down")
  }
}

const BROKEN_CACHE: FlagRuleCache = {
  get: () => Promise.reject(new Error("Redis is down")),
  set: () => Promise.reject(new Error("Redis is down")),
  delete: () => Promise.reject(new Error("Redis is down")),
  close: async () => undefined,
}

describe("flag rules", () => {
  const clock = createManualClock(Date.parse("2026-03-01T12:00:00Z"))
  let directory: string
  let source: SourceInMemory
  let cache: FlagRuleCache
  let pubSub: PubSub
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "waymark-flag-rules-"))
    source = new SourceInMemory()
    cache = createInProcessFlagRuleCache()
    pubSub = createInProcessPubSub(silentLogger)
  })
  // A snapshot may still be on its way to the disk.
  afterEach(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))

  const createProcess = (more: Partial<Parameters<typeof createFlagRulesService>[0]> = {}) =>
    createFlagRulesService({
      source,
      cache,
      compiler: createRuleCompiler(),
      snapshots: createRuleSnapshots(directory),
      pubSub,
      clock,
      logger: silentLogger,
      ...more,
    })
  const keysIn = async (rules: ReturnType<typeof createProcess>): Promise<string[] | undefined> =>
    (await rules.rulesFor(PROJECT))?.flags.map((flag) => flag.key)
  const untilOnDisk = (version: number) =>
    waitFor("the snapshot", async () => (await createRuleSnapshots(directory).read(PROJECT))?.version === version)

  test("are loaded once for requests that come together, and then answered from memory at once", async () => {
    const rules = createProcess()
    await Promise.all([rules.rulesFor(PROJECT), rules.rulesFor(PROJECT)])
    expect(source.loads).toBe(1)
    expect(rules.rulesFor(PROJECT)).not.toBeInstanceOf(Promise)
  })

  test("after a change are new in this process when it returns, and soon in every other", async () => {
    const [here, there] = [createProcess(), createProcess()]
    await Promise.all([here.start(), there.start()])
    expect(await keysIn(there)).toEqual(["a"])
    source.change("a", "b")
    await here.changed(PROJECT)
    expect(source.published).toBe(source.version)
    await here.rulesFor(PROJECT)
    await waitFor("the other process", async () => (await keysIn(there))?.length === 2)
  })

  test("that a crash kept back are handed on by the next sweep", async () => {
    const [crashed, other] = [createProcess(), createProcess()]
    await other.start()
    await keysIn(crashed)
    await keysIn(other)
    source.change("changed")
    await crashed.publishOutbox()
    expect(source.published).toBe(source.version)
    await waitFor("the other process", async () => (await keysIn(other))?.[0] === "changed")
  })

  test("catch up on a message that was lost", async () => {
    const rules = createProcess()
    await keysIn(rules)
    source.change("changed")
    source.published = source.version
    await rules.publishOutbox()
    expect(await keysIn(rules)).toEqual(["changed"])
  })

  test("come from the snapshot on disk when every store is dead, also over a restart", async () => {
    await keysIn(createProcess())
    await untilOnDisk(1)
    source.isDown = true
    const restarted = createProcess({ cache: BROKEN_CACHE })
    expect(await keysIn(restarted)).toEqual(["a"])
    await restarted.publishOutbox()
    source.isDown = false
    source.change("back")
    await restarted.publishOutbox()
    expect(await keysIn(restarted)).toEqual(["back"])
  })

  test("are null when nobody knows them, and a damaged snapshot is nobody", async () => {
    source.isDown = true
    writeFileSync(join(directory, "1.json"), '{"format":1,"projectId":1,')
    expect(await createProcess().rulesFor(PROJECT)).toBeNull()
  })

  test("changed while a store is down are still new here, and handed on once it is back", async () => {
    const rules = createProcess({ cache: BROKEN_CACHE })
    await keysIn(rules)
    source.change("changed")
    await rules.changed(PROJECT)
    expect(await keysIn(rules)).toEqual(["changed"])
    expect(source.published).toBeLessThan(source.version)
  })

  test("of a thousand flags let waiting requests have their turn while they are compiled", async () => {
    const rules = createProcess()
    await keysIn(rules)
    source.change(...Array.from({ length: 1_000 }, (_, index) => `flag-${index}`))
    let turns = 0
    let isDone = false
    const takeTurns = (): void => {
      turns++
      if (!isDone) setImmediate(takeTurns)
    }
    setImmediate(takeTurns)
    await rules.changed(PROJECT)
    isDone = true
    expect(await keysIn(rules)).toHaveLength(1_000)
    expect(turns).toBeGreaterThan(10)
  })

  test("never go back to the older of two changes that are compiled at the same time", async () => {
    const rules = createProcess()
    await keysIn(rules)
    source.change(...Array.from({ length: 200 }, (_, index) => `flag-${index}`))
    const older = rules.changed(PROJECT)
    source.change("last")
    await Promise.all([older, rules.changed(PROJECT)])
    expect(await keysIn(rules)).toEqual(["last"])
  })

  test("changed many times at once are built once for all that wait, and hold the last change for each of them", async () => {
    const rules = createProcess()
    await keysIn(rules)
    const before = source.loads
    const seen = Array.from({ length: 20 }, async (_, index) => {
      source.change(`change-${index}`)
      const { version } = source
      await rules.changed(PROJECT)
      return ((await rules.rulesFor(PROJECT))?.document.version ?? 0) >= version
    })
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 20 }, () => true))
    expect(await keysIn(rules)).toEqual(["change-19"])
    expect(source.loads - before).toBe(2)
  })

  test("never go back to an older snapshot on disk and leave no drafts behind", async () => {
    const snapshots = createRuleSnapshots(directory)
    await keysIn(createProcess())
    await untilOnDisk(1)
    const document = await snapshots.read(PROJECT)
    if (document === null) throw new Error("no snapshot")
    const versions = [4, 5, 9, 3, 7]
    await Promise.all(versions.map((version) => snapshots.write({ ...document, version })))
    expect((await createRuleSnapshots(directory).read(PROJECT))?.version).toBe(9)
    expect(readdirSync(directory)).toEqual(["1.json"])
  })

  test("tell how long ago they were known to be current, over a restart without stores too", async () => {
    const rules = createProcess()
    await keysIn(rules)
    expect(rules.freshness()).toEqual({ projects: 1, ageSeconds: null })
    await rules.publishOutbox()
    expect(rules.freshness().ageSeconds).toBeCloseTo(0, 0)
    source.isDown = true
    clock.advance(90_000)
    await rules.publishOutbox()
    expect(rules.freshness().ageSeconds).toBe(90)
    const restarted = createProcess()
    await restarted.start()
    await restarted.publishOutbox()
    expect(restarted.freshness().ageSeconds).toBe(90)
  })

  test("are not said to be current while a newer version of them cannot be read", async () => {
    const rules = createProcess()
    await keysIn(rules)
    await rules.publishOutbox()
    source.change("newer")
    source.cannotLoad = true
    clock.advance(30_000)
    await rules.publishOutbox()
    expect(rules.freshness().ageSeconds).toBe(30)
    source.cannotLoad = false
    await rules.publishOutbox()
    expect(rules.freshness().ageSeconds).toBeCloseTo(0, 0)
    expect(await keysIn(rules)).toEqual(["newer"])
  })
})
