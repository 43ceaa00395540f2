import { describe, expect, test } from "@jest/globals"
import { MAX_PAGE_SIZE } from "../../../src/kernel/paging.js"
import { type ConnectionArgs, loadConnection, toWindow } from "../../../src/platform/graphql/connection.js"

const LETTERS = [..."abcdefg"]
const pageOfLetters = (args: ConnectionArgs) =>
  loadConnection(args, async ({ offset, limit }) => ({
    items: LETTERS.slice(offset, offset + limit),
    totalCount: LETTERS.length,
  }))

describe("a connection", () => {
  test("followed by its cursors gives every item once, in order", async () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const page = await pageOfLetters({ first: 3, ...(after !== null && { after }) })
      seen.push(...page.nodes)
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toEqual(LETTERS)
  })

  test("says where a page lies in the list", async () => {
    expect(await pageOfLetters({ first: 3, offset: 4 })).toMatchObject({
      nodes: ["e", "f", "g"],
      totalCount: 7,
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    })
    expect((await pageOfLetters({ first: 6 })).pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    expect((await pageOfLetters({ offset: 7 })).pageInfo).toMatchObject({ startCursor: null, endCursor: null })
  })

  test("gives the item after the cursor of any edge", async () => {
    const { edges } = await pageOfLetters({})
    expect((await pageOfLetters({ first: 1, after: edges[4]?.cursor as string })).nodes).toEqual(["f"])
  })

  test("takes from one item to the largest page, 50 when nothing is said", () => {
    expect(toWindow({})).toEqual({ limit: 50, offset: 0 })
    expect(toWindow({ first: 1 }).limit).toBe(1)
    expect(toWindow({ first: MAX_PAGE_SIZE }).limit).toBe(MAX_PAGE_SIZE)
  })

  test.each<[string, ConnectionArgs]>([
    ["first", { first: 0 }],
    ["first", { first: MAX_PAGE_SIZE + 1 }],
    ["offset", { offset: -1 }],
    ["offset", { offset: 1, after: "cG9zaXRpb246MA" }],
    ["after", { after: "not a cursor" }],
  ])("refuses, naming %s, %j", (attr, args) => {
    expect(() => toWindow(args)).toThrow(
      expect.objectContaining({ code: "invalid_input", details: expect.objectContaining({ attr }) }),
    )
  })
})
