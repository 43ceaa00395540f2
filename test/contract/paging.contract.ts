import { beforeAll, describe, expect, test } from "@jest/globals"
import type { OwnApp } from "../support/own-app.js"

/** A list of the graph, and how a test fills it. */
export interface PagedList {
  /** The field of Query. */
  readonly field: string
  /** Its arguments, without those of paging, as GraphQL text; a function where they are known only later. */
  readonly of: string | (() => string)
  /** Arguments of another list of this field; empty where there is none. */
  readonly other?: string
  /** What tells one item from another, as a selection of one scalar, also below others. */
  readonly item: string
  /** Whether it is so short that it is never counted by a statement. */
  readonly isInMemory?: boolean
  /** Stores an item at the end of the list where the newest stand. */
  add(number: number): Promise<unknown>
  /** Makes what `add` stored readable; for what arrives later. */
  settle?(): Promise<unknown>
  /** Takes an item away, by what tells it; absent where nothing ever goes. */
  remove?(item: string): Promise<unknown>
}

interface Shown {
  readonly nodes: unknown[]
  readonly edges: { readonly cursor: string; readonly node: unknown }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly totalCount: number
}

interface Answer {
  readonly data: { readonly page: Shown | null } | null
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
}

const PAGE_INFO = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"
const ITEMS = 5
/** Counts a whole list, by itself or beside a page. */
const isCount = (statement: string): boolean => /^\s*select[ (]+(select )?count\(|count\(\) OVER/i.test(statement)

/** What every list of the graph does (`docs/contract/management.md#paging`). */
export function describePaging(app: OwnApp, list: PagedList): void {
  const ask = async (paging: string, selection: string, of = list.of): Promise<Answer> => {
    const own = typeof of === "string" ? of : of()
    const all = [own, paging].filter((part) => part !== "").join(", ")
    const field = `${list.field}${all === "" ? "" : `(${all})`}`
    return (await app.api.post<Answer>("/graphql", { query: `{ page: ${field} { ${selection} } }` })).body
  }
  const pageOf = async (paging: string, selection = `nodes { ${list.item} } ${PAGE_INFO}`): Promise<Shown> => {
    const answer = await ask(paging, selection)
    if (answer.data?.page == null) throw new Error(JSON.stringify(answer.errors))
    return answer.data.page
  }
  const itemsOf = async (paging: string): Promise<string[]> => (await pageOf(paging)).nodes.map(nameOf)
  const add = async (from: number, count: number): Promise<void> => {
    for (let number = from; number < from + count; number++) await list.add(number)
    await list.settle?.()
  }

  describe(`the list ${list.field}`, () => {
    beforeAll(() => add(0, ITEMS))

    test("is the same whole list, page by page forward and backward, and by edges", async () => {
      const whole = await itemsOf("")
      expect(new Set(whole).size).toBe(whole.length)
      expect(whole.length).toBeGreaterThanOrEqual(ITEMS)
      expect(await walk("first", "after", "endCursor", "hasNextPage")).toEqual(whole)
      expect(await walk("last", "before", "startCursor", "hasPreviousPage")).toEqual(whole)
      const { edges } = await pageOf("", `edges { cursor node { ${list.item} } }`)
      expect(edges.map(({ node }) => nameOf(node))).toEqual(whole)
      expect(await itemsOf(`first: 1, after: "${edges[1]?.cursor}"`)).toEqual([whole[2]])
      expect(await itemsOf(`last: 1, before: "${edges[1]?.cursor}"`)).toEqual([whole[0]])
    })

    test("neither repeats nor skips an item when others come and go between two pages", async () => {
      const whole = await itemsOf("")
      const first = await pageOf("first: 2")
      const last = await pageOf("last: 2")
      await list.remove?.(whole[1] ?? "")
      await list.remove?.(whole.at(-2) ?? "")
      await add(ITEMS, 1)
      const kept = await itemsOf("")
      const [after, before] = [first.pageInfo.endCursor, last.pageInfo.startCursor]
      const behind = kept.filter((item) => !whole.slice(0, 2).includes(item))
      const inFront = kept.filter((item) => !whole.slice(-2).includes(item))
      const isAtEnd = !whole.includes(kept.at(-1) ?? "")
      expect(await itemsOf(`after: "${after}"`)).toEqual(
        isAtEnd ? behind : behind.filter((item) => whole.includes(item)),
      )
      expect(await itemsOf(`before: "${before}"`)).toEqual(
        isAtEnd ? inFront.filter((item) => whole.includes(item)) : inFront,
      )
    })

    test("refuses a cursor that is none, and one of another list", async () => {
      const { endCursor } = (await pageOf("first: 1")).pageInfo
      const foreign = await ask(`after: "${endCursor}"`, "totalCount", list.other)
      if (list.other !== undefined)
        expect(foreign.errors?.[0]).toMatchObject({
          message: "after is a cursor of another list, or of this one with another filter or order.",
          extensions: { code: "BAD_USER_INPUT" },
        })
      const none = await ask('before: "eA"', "totalCount")
      expect(none.errors?.[0]?.message).toBe("before is not a cursor.")
    })

    test("is counted only when the total is asked for", async () => {
      const whole = await itemsOf("")
      const counting = await app.statementsOf(async () => {
        expect((await pageOf("first: 1", "nodes { __typename } totalCount")).totalCount).toBe(whole.length)
      })
      expect(counting.filter(isCount)).toHaveLength(list.isInMemory === true ? 0 : 1)
      const statements = await app.statementsOf(() => pageOf("first: 1"))
      expect(statements.filter(isCount)).toEqual([])
    })
  })

  async function walk(
    size: "first" | "last",
    from: "after" | "before",
    end: "endCursor" | "startCursor",
    goesOn: "hasNextPage" | "hasPreviousPage",
  ): Promise<string[]> {
    const pages: string[][] = []
    for (let cursor: string | null = null; ; ) {
      const { nodes, pageInfo } = await pageOf(`${size}: 2${cursor === null ? "" : `, ${from}: "${cursor}"`}`)
      pages.push(nodes.map(nameOf))
      expect(pageInfo[goesOn === "hasNextPage" ? "hasPreviousPage" : "hasNextPage"]).toBe(cursor !== null)
      cursor = pageInfo[end]
      if (!pageInfo[goesOn]) break
    }
    return (size === "first" ? pages : pages.toReversed()).flat()
  }
}

/** The one scalar of a node, however deep it lies. */
function nameOf(node: unknown): string {
  const [value] = Object.values(Object(node))
  return typeof value === "object" ? nameOf(value) : String(value)
}
