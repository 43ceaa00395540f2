import { describe, expect, test } from "@jest/globals"
import { undoChanges } from "../../../../src/features/flags/explain/undo-changes.js"
import type { StoredFlag } from "../../../../src/flag-engine/index.js"
import type { Json } from "../../../../src/kernel/json.js"

const flag = (id: number, more: Partial<StoredFlag> = {}): StoredFlag => ({
  id,
  key: `flag-${id}`,
  name: "",
  version: 3,
  active: true,
  isRemoteConfiguration: false,
  filters: { groups: [] },
  ensureExperienceContinuity: false,
  bucketingIdentifier: "distinct_id",
  evaluationRuntime: "all",
  evaluationContexts: [],
  ...more,
})
const change = (flagId: number, field: string, before: Json) => ({
  flagId,
  isCreation: false,
  changes: [{ field, action: "changed", before, after: null }],
})

describe("undoing changes of flags", () => {
  test("goes back to the oldest value of each field, and leaves other flags alone", () => {
    const changes = [change(1, "evaluation_runtime", "client"), change(1, "active", false), change(1, "active", true)]
    expect(undoChanges([flag(1, { active: false }), flag(2)], changes)).toEqual([
      flag(1, { evaluationRuntime: "client" }),
      flag(2),
    ])
  })

  test("leaves out flags that were made or brought back since, and passes over those that are gone now", () => {
    const made = { flagId: 1, isCreation: true, changes: { key: "flag-1" } }
    expect(undoChanges([flag(1), flag(2)], [change(2, "deleted", true), change(9, "active", true), made])).toEqual([])
  })

  test("comes to nothing where an entry does not say what was before it", () => {
    expect(undoChanges([flag(1)], [{ flagId: 1, isCreation: false, changes: { active: true } }])).toBeNull()
  })
})
