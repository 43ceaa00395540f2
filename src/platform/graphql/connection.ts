import { ArgsType, type ClassType, Field, Int, ObjectType } from "type-graphql"
import { AppError } from "../../kernel/errors.js"
import { MAX_PAGE_SIZE, type OffsetWindow, type Page } from "../../kernel/paging.js"

const DEFAULT_FIRST = 50

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

/** Arguments of every connection: Relay's `first` and `after`, or a plain `offset` for REST-like paging. */
@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Items in the page, 1 to ${MAX_PAGE_SIZE}; ${DEFAULT_FIRST} when absent.`,
  })
  first?: number
  @Field(() => String, {
    nullable: true,
    description:
      "Cursor of the item after which the page begins. It is a position: items that come or go in front of it meanwhile move the page.",
  })
  after?: string
  @Field(() => Int, { nullable: true, description: "Items to skip; not together with `after`." })
  offset?: number
}

/** A node and its place in the list. */
export interface Edge<T> {
  cursor: string
  node: T
}
/** One page of a list, as Relay has it. */
export interface Connection<T> {
  edges: Edge<T>[]
  nodes: T[]
  pageInfo: PageInfoType
  totalCount: number
}

/** Makes the GraphQL classes `<name>Connection` and `<name>Edge` for a node class. */
export function createConnectionType<T extends object>(name: string, node: () => ClassType<T>) {
  @ObjectType(`${name}Edge`, { description: `One ${name} in a list, with its cursor.` })
  class EdgeType implements Edge<T> {
    @Field(() => String, { description: "Opaque position of this item." })
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
    @Field(() => Int, { description: "Number of items in the whole list." })
    totalCount!: number
  }
  return ConnectionType
}

/**
 * Answers one page of a list, for resolvers that only hand on what was asked for.
 * @throws AppError invalid_input naming `first`, `after` or `offset`.
 */
export async function loadConnection<T>(
  args: ConnectionArgs,
  list: (window: OffsetWindow) => Promise<Page<T>>,
): Promise<Connection<T>> {
  const window = toWindow(args)
  return toConnection(await list(window), window)
}

/**
 * Reads connection arguments into a window.
 * @throws AppError invalid_input naming `first`, `after` or `offset`.
 */
export function toWindow(args: ConnectionArgs): OffsetWindow {
  const first = args.first ?? DEFAULT_FIRST
  if (first < 1 || first > MAX_PAGE_SIZE)
    throw new AppError("invalid_input", { attr: "first", detail: `first must be between 1 and ${MAX_PAGE_SIZE}.` })
  if (args.after != null && args.offset != null)
    throw new AppError("invalid_input", { attr: "offset", detail: "Give either after or offset, not both." })
  if (args.offset != null && args.offset < 0)
    throw new AppError("invalid_input", { attr: "offset", detail: "offset must not be negative." })
  return { limit: first, offset: args.after != null ? readCursor(args.after) + 1 : (args.offset ?? 0) }
}

/** Shapes one page of a list as a connection; cursors count positions from 0. */
export function toConnection<T>(page: Page<T>, window: OffsetWindow): Connection<T> {
  const edges = page.items.map((node, index) => ({ cursor: writeCursor(window.offset + index), node }))
  return {
    edges,
    nodes: [...page.items],
    totalCount: page.totalCount,
    pageInfo: {
      hasNextPage: window.offset + page.items.length < page.totalCount,
      hasPreviousPage: window.offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

const writeCursor = (position: number): string => Buffer.from(`position:${position}`).toString("base64url")

function readCursor(cursor: string): number {
  const match = /^position:(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"))
  if (match === null)
    throw new AppError("invalid_input", { attr: "after", detail: "after is not a cursor of this list." })
  return Number(match[1])
}
