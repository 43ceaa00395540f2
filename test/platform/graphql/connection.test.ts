import { describe, expect, test } from "@jest/globals"
import { orderInMemory } from "../../../src/kernel/order-in-memory.js"
import { MAX_PAGE_SIZE } from "../../../src/kernel/paging.js"
import { readPage } from "../../../src/kernel/read-page.js"
import { type ConnectionArgs, readConnection } from "../../../src/platform/graphql/connection.js"

const BY_NAME = [{ property: "name", kind: "text", isDescending: false }] as const
const LETTERS = [..."abcdefg"].map((name) => ({ name }))
const pageOf = (args: ConnectionArgs, identity: unknown[] = ["letters"], letters = LETTERS) =>
  readConnection(args, identity, (page) => readPage(orderInMemory(BY_NAME, letters), page))
const namesOf = async (args: ConnectionArgs, letters = LETTERS): Promise<string> =>
  (await pageOf(args, undefined, letters)).nodes.map(({ name }) => name).join("")
const cursorOf = async (letter: string): Promise<string> =>
  (await pageOf({})).edges.find(({ node }) => node.name === letter)?.cursor ?? ""

const refusal = (attr: string) =>
  expect.objectContaining({ code: "invalid_input", details: expect.objectContaining({ attr }) })

describe("a connection", () => {
  test("followed by its cursors gives every item once, in order, forward and backward", async () => {
    let forward = ""
    let backward = ""
    for (let after: string | null = null; ; ) {
      const { nodes, pageInfo } = await pageOf({ first: 3, after })
      forward += nodes.map(({ name }) => name).join("")
      after = pageInfo.endCursor
      if (!(await pageInfo.hasNextPage)) break
    }
    for (let before: string | null = null; ; ) {
      const { nodes, pageInfo } = await pageOf({ last: 3, before })
      backward = nodes.map(({ name }) => name).join("") + backward
      before = pageInfo.startCursor
      if (!(await pageInfo.hasPreviousPage)) break
    }
    expect({ forward, backward }).toEqual({ forward: "abcdefg", backward: "abcdefg" })
  })

  test.each<[string, ConnectionArgs, boolean, boolean]>([
    ["abcdef", { first: 6 }, true, false],
    ["abcdefg", { first: 7 }, false, false],
    ["efg", { first: 3, offset: 4 }, false, true],
    ["", { offset: 7 }, false, true],
    ["g", { last: 1 }, false, true],
    ["abcdefg", { last: 7 }, false, false],
  ])("of %s says where it lies, %j", async (names, args, hasNextPage, hasPreviousPage) => {
    const { nodes, pageInfo, totalCount } = await pageOf(args)
    expect(nodes.map(({ name }) => name).join("")).toBe(names)
    expect([await pageInfo.hasNextPage, await pageInfo.hasPreviousPage]).toEqual([hasNextPage, hasPreviousPage])
    expect(await totalCount).toBe(7)
  })

  test("without items has no cursors", async () => {
    const { pageInfo } = await pageOf({}, undefined, [])
    expect(pageInfo).toMatchObject({ startCursor: null, endCursor: null })
    expect([await pageInfo.hasNextPage, await pageInfo.hasPreviousPage]).toEqual([false, false])
  })

  test("goes on from the cursor of any edge, also of an item that is gone", async () => {
    const [after, before] = [await cursorOf("e"), await cursorOf("c")]
    expect(await namesOf({ first: 1, after })).toBe("f")
    expect(await namesOf({ before })).toBe("ab")
    const others = LETTERS.filter(({ name }) => name !== "e" && name !== "c")
    expect(await namesOf({ first: 1, after }, others)).toBe("f")
    expect(await namesOf({ last: 1, before }, others)).toBe("b")
  })

  test("neither repeats nor skips when items come and go between two pages", async () => {
    const after = await cursorOf("d")
    const changed = ["a2", "b", "c", "d2", "e", "f", "g"].map((name) => ({ name }))
    expect(await namesOf({ after }, changed)).toBe("d2efg")
  })

  test("has as many items as one page may have and as are asked for, 100 when nothing is said", async () => {
    const many = Array.from({ length: MAX_PAGE_SIZE + 1 }, (_, index) => ({ name: String(index) }))
    const sizeOf = async (args: ConnectionArgs) => (await pageOf(args, undefined, many)).nodes.length
    expect(await sizeOf({})).toBe(100)
    expect(await sizeOf({ first: 1 })).toBe(1)
    expect(await sizeOf({ last: MAX_PAGE_SIZE })).toBe(MAX_PAGE_SIZE)
  })

  test.each<[string, ConnectionArgs]>([
    ["first", { first: 0 }],
    ["first", { first: MAX_PAGE_SIZE + 1 }],
    ["last", { last: 0 }],
    ["last", { first: 1, last: 1 }],
    ["offset", { offset: -1 }],
    ["offset", { offset: 1, after: "WyJ4Il0" }],
    ["offset", { offset: 1, last: 1 }],
    ["before", { after: "WyJ4Il0", before: "WyJ4Il0" }],
    ["before", { first: 1, before: "WyJ4Il0" }],
    ["after", { last: 1, after: "WyJ4Il0" }],
    ["after", { after: "not a cursor" }],
    ["before", { before: "" }],
  ])("refuses, naming %s, %j", async (attr, args) => {
    await expect(pageOf(args)).rejects.toEqual(refusal(attr))
  })

  test("refuses the cursor of another list, filter or order, and takes that of the same one", async () => {
    const after = (await pageOf({}, ["letters", 1, { search: "x", mine: true }])).pageInfo.startCursor
    for (const other of [
      ["numbers", 1],
      ["letters", 2, { search: "x", mine: true }],
      ["letters", 1, { search: "y" }],
    ])
      await expect(pageOf({ after }, other)).rejects.toEqual(refusal("after"))
    const same = ["letters", 1, { by: null, mine: true, from: undefined, search: "x" }]
    expect((await pageOf({ after }, same)).nodes).toHaveLength(6)
  })
})
