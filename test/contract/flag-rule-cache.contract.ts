import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { FlagRuleCache } from "../../src/features/flags/flags.types.js"
import { buildRules } from "../../src/flag-engine/definition/build-rules.js"
import type { RuleDocument } from "../../src/flag-engine/definition/rule-document.types.js"
import { asProjectId } from "../../src/kernel/ids.js"

const documentOf = (projectId: number, version: number): RuleDocument =>
  buildRules({
    projectId: asProjectId(projectId),
    version,
    timeZone: "Europe/Prague",
    groupTypes: [{ index: 0, name: "společnost" }],
    flags: [],
    cohorts: [],
  })

/** What every FlagRuleCache must do. */
export function describeFlagRuleCache(name: string, create: () => Promise<FlagRuleCache>): void {
  describe(`FlagRuleCache: ${name}`, () => {
    let cache: FlagRuleCache
    beforeAll(async () => {
      cache = await create()
    })
    afterAll(() => cache.close())

    test("answers null for a project it has not seen", async () => {
      expect(await cache.get(asProjectId(404))).toBeNull()
    })

    test("gives back the whole document, for its own project only", async () => {
      await cache.set(documentOf(1, 5))
      await cache.set(documentOf(2, 9))
      expect(await cache.get(asProjectId(1))).toEqual(documentOf(1, 5))
      expect(await cache.get(asProjectId(2))).toEqual(documentOf(2, 9))
    })

    test("forgets one project and keeps the others", async () => {
      for (const project of [7, 8]) await cache.set(documentOf(project, 1))
      await cache.delete(asProjectId(7))
      expect(await cache.get(asProjectId(7))).toBeNull()
      expect(await cache.get(asProjectId(8))).toEqual(documentOf(8, 1))
    })

    test("takes a higher version and never goes back, also beyond 32 bits", async () => {
      const present = 1_772_000_000_000
      await cache.set(documentOf(3, present))
      await cache.set({ ...documentOf(3, present - 1), timeZone: "UTC" })
      await cache.set({ ...documentOf(3, present), timeZone: "UTC" })
      expect(await cache.get(asProjectId(3))).toEqual(documentOf(3, present))
      await cache.set(documentOf(3, present + 1))
      expect((await cache.get(asProjectId(3)))?.version).toBe(present + 1)
    })
  })
}
