import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import {
  createCohortMemberCopies,
  moveCohortMembers,
  removeDeletedMembers,
} from "../../../src/features/cohorts/index.js"
import { forgetHashKeys } from "../../../src/features/flags/index.js"
import { derivePersonId } from "../../../src/features/persons/index.js"
import { AppError } from "../../../src/kernel/errors.js"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { Journey, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { createTestPersons, PERSONS_ALONE } from "../persons/persons-app.js"

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
    [projectId, [one, one, two], ["a", "b", "b"].map((id) => derivePersonId(projectId, id))],
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
    const survivor = derivePersonId(projectId, "a")
    expect([await membersOf(one), await membersOf(two)]).toEqual([[survivor], [survivor]])
  })

  test("follow a person through several merges of one batch", async () => {
    const { journey, projectId, one, two } = await journeyWithCohorts()
    await journey.append(mergeInto("a", "b"), mergeInto("c", "a"))
    await journey.work({ mergeListeners: [moveCohortMembers] })
    const survivor = derivePersonId(projectId, "c")
    expect([await membersOf(one), await membersOf(two)]).toEqual([[survivor], [survivor]])
  })

  test("are left alone by merges of another project", async () => {
    const { projectId, one } = await journeyWithCohorts()
    const before = await membersOf(one)
    const { journey: other } = await journeyWithCohorts()
    await other.append(mergeInto("a", "b"))
    await other.work({ mergeListeners: [moveCohortMembers] })
    expect(await membersOf(one)).toEqual(before)
    expect(before).toContain(derivePersonId(projectId, "a"))
  })

  test("and hash keys forget a deleted person", async () => {
    const { projectId, one, two } = await journeyWithCohorts()
    await stores.pool.query(
      "INSERT INTO flag_hash_key (project_id, distinct_id, flag_key, hash_key) VALUES ($1, 'a', 'f', 'h'), ($1, 'b', 'f', 'h')",
      [projectId],
    )
    const { changes } = createTestPersons(stores, { deletionListeners: [removeDeletedMembers, forgetHashKeys] })
    await changes.delete(projectId, derivePersonId(projectId, "b"), PERSONS_ALONE)
    expect([await membersOf(one), await membersOf(two)]).toEqual([[derivePersonId(projectId, "a")], []])
    const { rows } = await stores.pool.query("SELECT distinct_id FROM flag_hash_key WHERE project_id = $1", [projectId])
    expect(rows).toEqual([{ distinct_id: "a" }])
  })
})

/** Members as queries see them in ClickHouse. */
async function copiesOf(cohortId: number | undefined): Promise<string[]> {
  const rows = await stores.clickHouse.rows<{ person: string }>({
    sql: `SELECT toString(person_id) AS person FROM cohort_people WHERE cohort_id = {cohort:Int64} AND is_static
           GROUP BY person_id HAVING argMax(is_deleted, version) = 0 ORDER BY person`,
    parameters: { cohort: cohortId },
  })
  return rows.map(({ person }) => person)
}

const copiesOver = (clickHouse: Pick<ClickHouse, "insert">, pool = stores.pool) =>
  createCohortMemberCopies({ pool, clickHouse, logger: silentLogger })

describe("the copies of static cohorts in ClickHouse", () => {
  test("follow members, merges and deletions of persons", async () => {
    const { journey, projectId, one, two } = await journeyWithCohorts()
    const [a, b] = ["a", "b"].map((id) => derivePersonId(projectId, id))
    const copies = copiesOver(stores.clickHouse)
    await copies.applyPending()
    expect([await copiesOf(one), await copiesOf(two)]).toEqual([[a, b].sort(), [b]])

    await journey.append(mergeInto("a", "b"))
    await journey.work({ mergeListeners: [moveCohortMembers] })
    await copies.applyPending()
    expect([await copiesOf(one), await copiesOf(two)]).toEqual([[a], [a]])

    const { changes } = createTestPersons(stores, { deletionListeners: [removeDeletedMembers] })
    await changes.delete(projectId, a as string, PERSONS_ALONE)
    await copies.applyPending()
    expect([await copiesOf(one), await copiesOf(two)]).toEqual([[], []])
  })

  test("hold who comes back after leaving", async () => {
    const { projectId, two } = await journeyWithCohorts()
    const b = derivePersonId(projectId, "b")
    const copies = copiesOver(stores.clickHouse)
    for (let round = 0; round < 3; round++) {
      await stores.pool.query("DELETE FROM cohort_member WHERE cohort_id = $1", [two])
      if (round === 1) await copies.applyPending()
      await stores.pool.query("INSERT INTO cohort_member (project_id, cohort_id, person_id) VALUES ($1, $2, $3)", [
        projectId,
        two,
        b,
      ])
    }
    await copies.applyPending()
    expect(await copiesOf(two)).toEqual([b])
  })

  test("are made good after ClickHouse was away, and after a death between its insert and the note", async () => {
    const { projectId, one } = await journeyWithCohorts()
    const members = ["a", "b"].map((id) => derivePersonId(projectId, id)).sort()
    const away = copiesOver({ insert: () => Promise.reject(new AppError("store_unavailable")) })
    await expect(away.applyPending()).rejects.toThrow(AppError)
    await away.applyNow()
    expect(await copiesOf(one)).toEqual([])

    const forgetful = Object.create(stores.pool) as typeof stores.pool
    forgetful.query = ((text: string, values?: unknown[]) =>
      text.startsWith("DELETE") ? Promise.reject(new Error("died")) : stores.pool.query(text, values)) as never
    await expect(copiesOver(stores.clickHouse, forgetful).applyPending()).rejects.toThrow("died")
    expect(await copiesOf(one)).toEqual(members)
    await copiesOver(stores.clickHouse).applyPending()
    expect(await copiesOf(one)).toEqual(members)
    const { rows } = await stores.pool.query("SELECT FROM cohort_member_change WHERE project_id = $1", [projectId])
    expect(rows).toEqual([])
  })

  test("go with their cohort, also those of members who are added meanwhile", async () => {
    const { projectId, one, two } = await journeyWithCohorts()
    const adding = await stores.pool.connect()
    try {
      await adding.query("BEGIN")
      await adding.query("INSERT INTO cohort_member (project_id, cohort_id, person_id) VALUES ($1, $2, $3)", [
        projectId,
        two,
        derivePersonId(projectId, "c"),
      ])
      const deleting = stores.pool.query("UPDATE cohort SET deleted = true WHERE id = $1", [two])
      await adding.query("COMMIT")
      await deleting
    } finally {
      adding.release()
    }
    const copies = copiesOver(stores.clickHouse)
    await copies.applyPending()
    expect(await copiesOf(two)).toEqual([])
    expect(await copiesOf(one)).toHaveLength(2)
    await stores.pool.query("UPDATE cohort SET deleted = false WHERE id = $1", [two])
    await copies.applyPending()
    expect(await copiesOf(two)).toHaveLength(2)
  })
})
