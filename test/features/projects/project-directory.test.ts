import { beforeEach, describe, expect, test } from "@jest/globals"
import { createCachedProjectDirectory } from "../../../src/features/projects/project-directory.cache.js"
import type { Project } from "../../../src/features/projects/projects.types.js"
import { asOrganizationId, asProjectId, type ProjectId } from "../../../src/kernel/ids.js"
import { RateBudget } from "../../../src/platform/limits/rate-budget.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock } from "../../support/manual-clock.js"

const OWN = asOrganizationId("0190aaaa-0000-7000-8000-000000000001")
const OTHER = asOrganizationId("0190aaaa-0000-7000-8000-000000000002")
const PROJECTS = new Map([
  [1, { id: asProjectId(1), organizationId: OWN } as Project],
  [2, { id: asProjectId(2), organizationId: OTHER } as Project],
])

const createDirectory = (store: Parameters<typeof createCachedProjectDirectory>[0], perAddress = 0) => {
  const clock = createManualClock(0)
  const wrongKeys = new RateBudget({ perHolder: perAddress, holders: 2, clock, onRefused: () => undefined })
  const pubSub = createInProcessPubSub(silentLogger)
  return { clock, directory: createCachedProjectDirectory(store, wrongKeys, { pubSub, clock, logger: silentLogger }) }
}

test("a project of others costs as many reads as one that there is not, in memory or not", async () => {
  const reads: ProjectId[] = []
  const store = {
    findById: async (id: ProjectId) => {
      reads.push(id)
      return PROJECTS.get(id) ?? null
    },
    findByKeys: async () => new Map(),
    findFirst: async () => null,
  }
  const { directory } = createDirectory(store)
  const ownerOf = (id: number) => directory.findOwnOrganizationId(asProjectId(id), new Set([OWN]))
  await directory.findById(asProjectId(2))
  reads.length = 0
  for (let round = 0; round < 2; round++) expect([await ownerOf(2), await ownerOf(77)]).toEqual([null, null])
  expect(reads).toEqual([2, 77, 2, 77])
  expect([await ownerOf(1), await ownerOf(1)]).toEqual([OWN, OWN])
  expect(reads).toHaveLength(5)
})

describe("keys that there are not", () => {
  const [SENDER, NEIGHBOUR] = ["192.0.2.1", "192.0.2.2"]
  let keys: Map<string, Project>
  let reads: (readonly string[])[]
  const store = {
    findById: async () => null,
    findFirst: async () => null,
    findByKeys: async (tokens: readonly string[]) => {
      reads.push(tokens)
      return new Map(tokens.flatMap((token) => (keys.has(token) ? [[token, keys.get(token) as Project]] : [])))
    },
  }
  const project = PROJECTS.get(1) as Project
  beforeEach(() => {
    keys = new Map([
      ["phc_known", project],
      ["phc_new", project],
    ])
    reads = []
  })

  test("that come at a time are looked up together, however many", async () => {
    const { directory } = createDirectory(store)
    const tokens = Array.from({ length: 1_200 }, (_, index) => `phc_${index}`)
    const found = await Promise.all([...tokens, "phc_known"].map((token) => directory.findByKey(token, SENDER)))
    expect(found.filter((one) => one !== null)).toEqual([project])
    expect(reads.map(({ length }) => length)).toEqual([1, 500, 500, 200])
  })

  test("are looked up for an address only so often a minute, and for others as before", async () => {
    const { clock, directory } = createDirectory(store, 2)
    for (const token of ["phc_1", "phc_2"]) expect(await directory.findByKey(token, SENDER)).toBeNull()
    await expect(directory.findByKey("phc_3", SENDER)).rejects.toMatchObject({ code: "rate_limited" })
    expect(reads.flat()).toEqual(["phc_1", "phc_2"])
    expect(await directory.findByKey("phc_new", NEIGHBOUR)).toBe(project)
    clock.advance(60_000)
    expect(await directory.findByKey("phc_3", SENDER)).toBeNull()
  })

  test("count once while it is remembered that there is none", async () => {
    const { directory } = createDirectory(store, 2)
    for (let turn = 0; turn < 5; turn++) expect(await directory.findByKey("phc_1", SENDER)).toBeNull()
    expect(await directory.findByKey("phc_new", SENDER)).toBe(project)
  })

  test("do not keep a key that was found before from its address, also when it has to be read again", async () => {
    const { clock, directory } = createDirectory(store, 1)
    expect(await directory.findByKey("phc_known", SENDER)).toBe(project)
    clock.advance(59_000)
    expect(await directory.findByKey("phc_1", SENDER)).toBeNull()
    expect(await directory.findByKey("phc_known", SENDER)).toBe(project)
    expect(reads.flat()).toEqual(["phc_known", "phc_1", "phc_known"])
  })

  test("count for nobody who has proven another key", async () => {
    const { directory } = createDirectory(store, 1)
    for (const token of ["phc_1", "phc_2", "phc_3"]) expect(await directory.findByKey(token)).toBeNull()
  })
})
