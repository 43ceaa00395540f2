import { describe, expect, test } from "@jest/globals"
import { createBuiltInConfigs } from "../../../src/features/plugins/built-in-configs.cache.js"
import { createGeoIpPlugin } from "../../../src/features/plugins/geo-ip.plugin.js"
import type { BuiltInConfig, PluginLogEntry } from "../../../src/features/plugins/plugins.types.js"
import { SystemLog } from "../../../src/features/plugins/system-log.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock } from "../../support/manual-clock.js"
import { waitFor } from "../../support/wait-for.js"

const ONE = asProjectId(1)
const TWO = asProjectId(2)

/** The plugin over a repository in memory; `reads` counts the statements. */
async function start({ hasDatabase = true } = {}) {
  const clock = createManualClock(Date.UTC(2024, 1, 29))
  const pubSub = createInProcessPubSub(silentLogger)
  const enabled = new Map([
    [ONE, true],
    [TWO, true],
  ])
  const stored: PluginLogEntry[] = []
  const state = { reads: 0, isAway: false }
  const builtIns = async (projectId: typeof ONE): Promise<BuiltInConfig[]> => {
    state.reads += 1
    if (state.isAway) throw new Error("away")
    return [{ id: projectId * 10, pluginId: 1, builtIn: "geoip", enabled: enabled.get(projectId) ?? true }]
  }
  const open = () => createBuiltInConfigs({ findBuiltIns: builtIns }, { pubSub, clock, logger: silentLogger })
  const [configs, elsewhere] = [open(), open()]
  await configs.start()
  let ids = 0
  const log = new SystemLog({
    store: async (entries) => void stored.push(...entries),
    clock,
    logger: silentLogger,
    newId: () => String(++ids),
    startTimer: () => () => undefined,
  })
  const plugin = createGeoIpPlugin(configs, log, hasDatabase)
  const switchedOff = async () => [...(await plugin.findSwitchedOff([ONE, TWO]))]
  const said = async () => {
    await log.flush()
    return stored.splice(0).map(({ projectId, pluginConfigId, source, type, message }) => ({
      projectId,
      pluginConfigId,
      source,
      type,
      message,
    }))
  }
  return { clock, enabled, state, elsewhere, plugin, switchedOff, said }
}

describe("GeoIP as ingestion sees it", () => {
  test("is asked of the store once for each project, then answered from memory", async () => {
    const { state, switchedOff } = await start()
    for (let batch = 0; batch < 5; batch++) expect(await switchedOff()).toEqual([])
    expect(state.reads).toBe(2)
  })

  test("is off in a project as soon as any process has switched it off, and on again likewise", async () => {
    const { enabled, elsewhere, switchedOff } = await start()
    expect(await switchedOff()).toEqual([])
    enabled.set(TWO, false)
    await elsewhere.announceChange(TWO)
    await waitFor("the message of the other process", async () => (await switchedOff()).includes(TWO))
    enabled.set(TWO, true)
    await elsewhere.announceChange(TWO)
    await waitFor("the next message", async () => (await switchedOff()).length === 0)
  })

  test("is read again after 20 s even when no message came, without anybody waiting for the store", async () => {
    const { clock, enabled, state, switchedOff } = await start()
    await switchedOff()
    enabled.set(ONE, false)
    clock.advance(21_000)
    expect(await switchedOff()).toEqual([])
    expect(await switchedOff()).toEqual([ONE])
    state.isAway = true
    clock.advance(60_000)
    expect(await switchedOff()).toEqual([ONE])
  })

  test("fails where a project is met for the first time and the store is away: no event is enriched by guess", async () => {
    const { state, switchedOff } = await start()
    state.isAway = true
    await expect(switchedOff()).rejects.toThrow("away")
    state.isAway = false
    expect(await switchedOff()).toEqual([])
  })
})

describe("the log of GeoIP", () => {
  test("says once for each process that it is loaded, or that there is no file", async () => {
    const withFile = await start()
    await withFile.switchedOff()
    await withFile.switchedOff()
    expect(await withFile.said()).toEqual([
      expect.objectContaining({ projectId: 1, pluginConfigId: 10, source: "SYSTEM", type: "DEBUG" }),
      expect.objectContaining({ projectId: 2, pluginConfigId: 20, source: "SYSTEM", type: "DEBUG" }),
    ])
    const without = await start({ hasDatabase: false })
    await without.switchedOff()
    expect((await without.said()).map(({ type }) => type)).toEqual(["WARN", "WARN"])
  })

  test("says of addresses without a place once a minute, with how often it happened", async () => {
    const { clock, plugin, switchedOff, said } = await start()
    await switchedOff()
    await said()
    for (let event = 0; event < 1000; event++) plugin.logMiss(ONE, "10.0.0.1")
    plugin.logMiss(ONE, "no address")
    plugin.logMiss(ONE, "203.0.113.7", new Error("damaged"))
    plugin.logMiss(TWO, "10.0.0.2")
    expect((await said()).map(({ projectId, type }) => [projectId, type])).toEqual([
      [1, "DEBUG"],
      [1, "WARN"],
      [1, "ERROR"],
      [2, "DEBUG"],
    ])
    clock.advance(61_000)
    plugin.logMiss(ONE, "10.0.0.1")
    expect((await said()).map(({ message }) => message)).toEqual([expect.stringContaining("1000 times")])
  })

  test("has nothing of a project that has it switched off", async () => {
    const { enabled, plugin, switchedOff, said } = await start()
    enabled.set(ONE, false)
    await switchedOff()
    plugin.logMiss(ONE, "10.0.0.1")
    expect((await said()).map(({ projectId }) => projectId)).toEqual([2])
  })
})
