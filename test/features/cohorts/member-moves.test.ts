import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { moveCohortMembers, removeDeletedMembers } from "../../../src/features/cohorts/index.js"
import { forgetHashKeys } from "../../../src/features/flags/index.js"
import { personIdOf } from "../../../src/features/persons/index.js"
import { Journey, sent } from "../ingestion/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { createTestPersons } from "../persons/persons-app.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** A project whose persons `a`, `b` and `c` exist; `a` is in cohort 1, `b` in cohorts 1 and 2, by cohort order. */
async function journeyWithCohorts() {
  const journey = new Journey(stores)
  const { projectId } = journey
  await stores.pool.query(
    `WITH organization AS (INSERT INTO organization (id, name, created_at) VALUES ($2, 'Verein', now()) RETURNING id)
     INSERT INTO project (id, uuid, organization_id, name, created_at) SELECT $1, $2, id, 'Werk', now() FROM organization`,
    [projectId, crypto.randomUUID()],
  )
  const { rows } = await stores.pool.query<{ id: number }>(
    "INSERT INTO cohort (project_id, name, is_static) VALUES ($1, 'eins', true), ($1, 'zwei', true) RETURNING id",
    [projectId],
  )
  const [one, two] = rows.map(({ id }) => id)
  await journey.append(sent("$set", "a"), sent("$set", "b"), sent("$set", "c"))
  await journey.work()
  await stores.pool.query(
    "INSERT INTO cohort_member (project_id, cohort_id, person_id) SELECT $1, * FROM unnest($2::int[], $3::uuid[])",
    [projectId, [one, one, two], ["a", "b", "b"].map((id) => personIdOf(projectId, id))],
  )
  return { journey, projectId, one, two }
}

async function membersOf(cohortId: number | undefined): Promise<string[]> {
  const { rows } = await stores.pool.query<{ person_id: string }>(
    "SELECT person_id FROM cohort_member WHERE cohort_id = $1 ORDER BY person_id",
    [cohortId],
  )
  return rows.map(({ person_id }) => person_id)
}

const mergeInto = (target: string, source: string) =>
  sent("$merge_dangerously", target, { properties: { alias: source } })

describe("static cohorts", () => {
  test("take the surviving person for the merged one, once", async () => {
    const { journey, projectId, one, two } = await journeyWithCohorts()
    await journey.append(mergeInto("a", "b"))
    await journey.work({ mergeListeners: [moveCohortMembers] })
    const survivor = personIdOf(projectId, "a")
    expect([await membersOf(one), await membersOf(two)]).toEqual([[survivor], [survivor]])
  })

  test("follow a person through several merges of one slice", async () => {
    const { journey, projectId, one, two } = await journeyWithCohorts()
    await journey.append(mergeInto("a", "b"), mergeInto("c", "a"))
    await journey.work({ mergeListeners: [moveCohortMembers] })
    const survivor = personIdOf(projectId, "c")
    expect([await membersOf(one), await membersOf(two)]).toEqual([[survivor], [survivor]])
  })

  test("are left alone by merges of another project", async () => {
    const { projectId, one } = await journeyWithCohorts()
    const before = await membersOf(one)
    const { journey: other } = await journeyWithCohorts()
    await other.append(mergeInto("a", "b"))
    await other.work({ mergeListeners: [moveCohortMembers] })
    expect(await membersOf(one)).toEqual(before)
    expect(before).toContain(personIdOf(projectId, "a"))
  })

  test("and hash keys forget a deleted person", async () => {
    const { projectId, one, two } = await journeyWithCohorts()
    await stores.pool.query(
      "INSERT INTO flag_hash_key (project_id, distinct_id, flag_key, hash_key) VALUES ($1, 'a', 'f', 'h'), ($1, 'b', 'f', 'h')",
      [projectId],
    )
    const { changes } = createTestPersons(stores, { deletionListeners: [removeDeletedMembers, forgetHashKeys] })
    await changes.delete(projectId, personIdOf(projectId, "b"), false)
    expect([await membersOf(one), await membersOf(two)]).toEqual([[personIdOf(projectId, "a")], []])
    const { rows } = await stores.pool.query("SELECT distinct_id FROM flag_hash_key WHERE project_id = $1", [projectId])
    expect(rows).toEqual([{ distinct_id: "a" }])
  })
})
