import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { KeyValueCache } from "../../src/platform/cache/key-value-cache.js"

export interface KeyValueCacheFixture {
  readonly cache: KeyValueCache
  /** Lets this much time pass for the cache. */
  letPass(ms: number): Promise<void>
}

/** What every KeyValueCache must do. */
export function describeKeyValueCache(name: string, create: () => Promise<KeyValueCacheFixture>): void {
  describe(`KeyValueCache: ${name}`, () => {
    let fixture: KeyValueCacheFixture
    beforeAll(async () => {
      fixture = await create()
    })
    afterAll(async () => {
      await fixture.cache.close()
    })

    test("answers null for a key that was never set", async () => {
      expect(await fixture.cache.get("absent")).toBeNull()
    })

    test("gives back the exact text, empty and non-ASCII included", async () => {
      await fixture.cache.set("text", 'žluťoučký\n{"a":1}\u0000', 60)
      await fixture.cache.set("empty", "", 60)
      expect(await fixture.cache.get("text")).toBe('žluťoučký\n{"a":1}\u0000')
      expect(await fixture.cache.get("empty")).toBe("")
    })

    test("overwrites the text and its time to live", async () => {
      await fixture.cache.set("twice", "old", 0.02)
      await fixture.cache.set("twice", "new", 60)
      await fixture.letPass(40)
      expect(await fixture.cache.get("twice")).toBe("new")
    })

    test("forgets a text when its time is over", async () => {
      await fixture.cache.set("short", "soon gone", 0.02)
      await fixture.letPass(40)
      expect(await fixture.cache.get("short")).toBeNull()
    })

    test("gives a text that is taken to one of those who take it, and to nobody else", async () => {
      await fixture.cache.set("single", "once", 60)
      const taken = await Promise.all([1, 2, 3].map(() => fixture.cache.take("single")))
      expect(taken.filter((text) => text !== null)).toEqual(["once"])
      expect(await fixture.cache.get("single")).toBeNull()
      expect(await fixture.cache.take("never set")).toBeNull()
    })

    test("deletes a key, and deleting an absent key is no error", async () => {
      await fixture.cache.set("doomed", "x", 60)
      await fixture.cache.delete("doomed")
      await fixture.cache.delete("doomed")
      expect(await fixture.cache.get("doomed")).toBeNull()
    })

    test("deletes all keys that begin alike, however many, and no other", async () => {
      const ofProject = Array.from({ length: 2_500 }, (_, number) => `answers[1]*_${number}`)
      const others = ["answers[1]*", "answers[11]*_1", "answers1_1", "x answers[1]*_1"]
      for (const key of [...ofProject, ...others]) await fixture.cache.set(key, "x", 60)
      await fixture.cache.deleteAll("answers[1]*_")
      const left = async (keys: string[]) => (await Promise.all(keys.map(fixture.cache.get))).filter(Boolean).length
      expect(await left(ofProject)).toBe(0)
      expect(await left(others)).toBe(others.length)
    })
  })
}
