import type { GraphQLResolveInfo } from "graphql"
import { ArgsType, type ClassType, Field, Int, ObjectType } from "type-graphql"
import { AppError } from "../../kernel/errors.js"
import { DEFAULT_PAGE_SIZE, type ListPage, MAX_PAGE_SIZE, type PageRequest } from "../../kernel/paging.js"
import { markList, readCursor, writeCursor } from "./cursor.js"
import { selectsField } from "./selects-field.js"

@ObjectType("PageInfo", { description: "Where a page of a connection lies in the whole list." })
class PageInfoType {
  @Field(() => Boolean, { description: "Whether more items follow this page." })
  hasNextPage!: boolean
  @Field(() => Boolean, { description: "Whether items precede this page." })
  hasPreviousPage!: boolean
  @Field(() => String, { nullable: true, description: "Cursor of the first item of the page." })
  startCursor!: string | null
  @Field(() => String, {
    nullable: true,
    description: "Cursor of the last item; pass it as `after` for the next page.",
  })
  endCursor!: string | null
}

/** Arguments of every connection: Relay's four, and `offset`, by which REST pages. */
@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Items from the beginning or after a cursor, 1 to ${MAX_PAGE_SIZE}; ${DEFAULT_PAGE_SIZE} when absent.`,
  })
  first?: number | null
  @Field(() => String, {
    nullable: true,
    description: "Cursor of the item after which the page begins, of the same list, filter and order.",
  })
  after?: string | null
  @Field(() => Int, {
    nullable: true,
    description: `Items from the end or before a cursor, in place of \`first\`; 1 to ${MAX_PAGE_SIZE}.`,
  })
  last?: number | null
  @Field(() => String, { nullable: true, description: "Cursor of the item before which the page ends." })
  before?: string | null
  @Field(() => Int, { nullable: true, description: "Items to skip, without a cursor; for REST." })
  offset?: number | null
}

/** A node and its place in the list. */
export interface Edge<T> {
  readonly cursor: string
  readonly node: T
}
/** Where a page lies; what costs a statement is a promise made when it is read. */
interface PageInfo extends Pick<PageInfoType, "startCursor" | "endCursor"> {
  readonly hasNextPage: boolean | Promise<boolean>
  readonly hasPreviousPage: boolean | Promise<boolean>
}
/** One page of a list, as Relay has it. */
export interface Connection<T> {
  readonly edges: readonly Edge<T>[]
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
  readonly totalCount: number | Promise<number>
}

/** Makes the GraphQL classes `<name>Connection` and `<name>Edge` for a node class. */
export function createConnectionType<T extends object>(name: string, node: () => ClassType<T>) {
  @ObjectType(`${name}Edge`, { description: `One ${name} in a list, with its cursor.` })
  class EdgeType implements Edge<T> {
    @Field(() => String, { description: "Opaque; for `after` and `before` of the same list, filter and order." })
    cursor!: string
    @Field(node, { description: "The item." })
    node!: T
  }
  @ObjectType(`${name}Connection`, { description: `A page of ${name} items.` })
  class ConnectionType implements Connection<T> {
    @Field(() => [EdgeType], { description: "The items with their cursors." })
    edges!: Edge<T>[]
    @Field(() => [node()], { description: "The items alone." })
    nodes!: T[]
    @Field(() => PageInfoType, { description: "Where this page lies in the list." })
    pageInfo!: PageInfoType
    @Field(() => Int, { description: "Items of the whole list, counted when asked for." })
    totalCount!: number
  }
  return ConnectionType
}

/** What only some lists say. */
interface ConnectionOptions {
  readonly defaultSize?: number
  /** For stores that can count the whole list beside a page: tells them whether the total is selected. */
  readonly info?: GraphQLResolveInfo
}

/**
 * Answers one page of a list, for resolvers that only hand on what was asked for.
 * @param identity names the list, its project or owner, its filter and its order: cursors hold for these alone.
 * @throws AppError invalid_input naming the argument.
 */
export async function readConnection<T>(
  args: ConnectionArgs,
  identity: readonly unknown[],
  list: (request: PageRequest) => Promise<ListPage<T>>,
  { defaultSize = DEFAULT_PAGE_SIZE, info }: ConnectionOptions = {},
): Promise<Connection<T>> {
  const mark = markList(identity)
  const isCounted = info !== undefined && selectsField(info, "totalCount")
  return showPage(await list({ ...toPageRequest(args, mark, defaultSize), isCounted }), mark)
}

function toPageRequest(args: ConnectionArgs, mark: string, defaultSize: number): PageRequest {
  const { first, after, last, before, offset } = args
  if (first != null && last != null) refuse("last", "Give either first or last, not both.")
  if (after != null && before != null) refuse("before", "Give either after or before, not both.")
  if (after != null && last != null) refuse("after", "after goes with first; before goes with last.")
  if (before != null && first != null) refuse("before", "before goes with last; after goes with first.")
  const isBackward = last != null || before != null
  if (offset != null && (isBackward || after != null)) refuse("offset", "offset does not go with last or a cursor.")
  if (offset != null && offset < 0) refuse("offset", "offset must not be negative.")
  const size = first ?? last ?? defaultSize
  const attr = last != null ? "last" : "first"
  if (size < 1 || size > MAX_PAGE_SIZE) refuse(attr, `${attr} must be between 1 and ${MAX_PAGE_SIZE}.`)
  const cursor = after ?? before ?? null
  const from = cursor === null ? null : readCursor(mark, cursor, isBackward ? "before" : "after")
  return { limit: size, isBackward, from, offset: offset ?? 0 }
}

function refuse(attr: string, detail: string): never {
  throw new AppError("invalid_input", { attr, detail })
}

/** Everything but the items is made when it is selected: that is when a getter is read. */
function showPage<T>({ items, keys, ...page }: ListPage<T>, mark: string): Connection<T> {
  const cursorAt = (index: number): string => writeCursor(mark, keys.at(index) ?? [])
  return {
    get edges() {
      return items.map((node, index) => ({
        get cursor() {
          return cursorAt(index)
        },
        node,
      }))
    },
    nodes: items,
    pageInfo: {
      get hasNextPage() {
        return page.hasNext()
      },
      get hasPreviousPage() {
        return page.hasPrevious()
      },
      get startCursor() {
        return items.length === 0 ? null : cursorAt(0)
      },
      get endCursor() {
        return items.length === 0 ? null : cursorAt(-1)
      },
    },
    get totalCount() {
      return page.countAll()
    },
  }
}
