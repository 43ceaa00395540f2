import { expect, test } from "@jest/globals"
import { createCachedProjectDirectory } from "../../../src/features/projects/project-directory.cache.js"
import type { Project } from "../../../src/features/projects/projects.types.js"
import { asOrganizationId, asProjectId, type ProjectId } from "../../../src/kernel/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock } from "../../support/manual-clock.js"

const OWN = asOrganizationId("0190aaaa-0000-7000-8000-000000000001")
const OTHER = asOrganizationId("0190aaaa-0000-7000-8000-000000000002")
const PROJECTS = new Map([
  [1, { id: asProjectId(1), organizationId: OWN } as Project],
  [2, { id: asProjectId(2), organizationId: OTHER } as Project],
])

test("a project of others costs as many reads as one that there is not, in memory or not", async () => {
  const reads: ProjectId[] = []
  const store = {
    findById: async (id: ProjectId) => {
      reads.push(id)
      return PROJECTS.get(id) ?? null
    },
    findByKey: async () => null,
    findFirst: async () => null,
  }
  const directory = createCachedProjectDirectory(store, {
    pubSub: createInProcessPubSub(silentLogger),
    clock: createManualClock(0),
    logger: silentLogger,
  })
  const ownerOf = (id: number) => directory.findOwnOrganizationId(asProjectId(id), new Set([OWN]))
  await directory.findById(asProjectId(2))
  reads.length = 0
  for (let round = 0; round < 2; round++) expect([await ownerOf(2), await ownerOf(77)]).toEqual([null, null])
  expect(reads).toEqual([2, 77, 2, 77])
  expect([await ownerOf(1), await ownerOf(1)]).toEqual([OWN, OWN])
  expect(reads).toHaveLength(5)
})
