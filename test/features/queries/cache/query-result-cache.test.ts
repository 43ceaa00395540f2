import { expect, test } from "@jest/globals"
import { toCacheKey } from "../../../../src/features/queries/cache/cache-key.js"
import {
  createAnswerDeletion,
  createQueryResultCache,
} from "../../../../src/features/queries/cache/query-result.cache.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import { createInProcessKeyValueCache } from "../../../../src/platform/cache/in-process-key-value-cache.js"
import { systemClock } from "../../../../src/platform/clock/system-clock.js"
import { waitFor } from "../../../support/wait-for.js"

const RESULT = { answer: { results: [["ada@example.com"]] }, calculatedAtMs: 0, dataThroughMs: 0 }
const silent = () => undefined

function placeOf(projectId: ProjectId, generation: number) {
  const cacheKey = toCacheKey(projectId, { kind: "HogQLQuery" }, { timezone: "UTC", weekStartDay: 0 }, generation)
  return { projectId, cacheKey, generation }
}

test("answers of a project are deleted, with those that were given up before; those of others stay", async () => {
  const cache = createInProcessKeyValueCache(systemClock)
  const [first, second, other] = [placeOf(asProjectId(1), 0), placeOf(asProjectId(1), 1), placeOf(asProjectId(11), 0)]
  const results = createQueryResultCache(cache, async (projectId) => (projectId === 1 ? 1 : 0), silent)
  for (const { cacheKey } of [first, second, other]) await cache.set(cacheKey, JSON.stringify(RESULT), 60)
  expect(await createAnswerDeletion(cache, silent)(asProjectId(1))).toBe(true)
  const found = await Promise.all([first, second, other].map(({ cacheKey }) => results.find(cacheKey)))
  expect(found).toEqual([null, null, RESULT])
})

test("an answer that was calculated while its generation was given up does not stay", async () => {
  const cache = createInProcessKeyValueCache(systemClock)
  const results = createQueryResultCache(cache, async () => 1, silent)
  const [outdated, current] = [placeOf(asProjectId(1), 0), placeOf(asProjectId(1), 1)]
  await results.keep(current, RESULT)
  await results.keep(outdated, RESULT)
  await waitFor("it to be gone", async () => (await results.find(outdated.cacheKey)) === null)
  expect(await results.find(current.cacheKey)).toEqual(RESULT)
})

test("whether answers are gone is not known while the cache is away", async () => {
  const cache = createInProcessKeyValueCache(systemClock)
  const failures: unknown[] = []
  const away = { ...cache, deleteAll: () => Promise.reject(new Error("away")) }
  expect(await createAnswerDeletion(away, (failure) => void failures.push(failure))(asProjectId(1))).toBe(false)
  expect(failures).toHaveLength(1)
})
