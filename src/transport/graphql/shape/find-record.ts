import type { GraphQLResolveInfo } from "graphql"
import type { RequestContext } from "../../../kernel/request-context.js"
import { callOperation, orNull } from "./call-operation.js"
import type { GlobalId } from "./global-id.js"
import type { Fields, GraphRules, Values } from "./graph-rules.js"

/** A record named by type and key. */
export interface WantedRecord extends Omit<GlobalId, "projectId"> {
  /** Number of the project, as its ids have it; null when a name of the project is in `arguments`, or it has none. */
  readonly projectId: number | null
  /** Arguments besides the key. */
  readonly arguments?: Values
}

/** Finds a record by the operation that looks records of its type up, with all that it demands of the caller. */
export type FindRecord = (
  wanted: WantedRecord,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => Promise<Values | null>

/** Makes the finder on the operations of `Query`. It answers null for what there is not, or not for this caller. */
export function createRecordFinder(queries: Fields, { records }: GraphRules): FindRecord {
  return async ({ type, key, projectId, arguments: others }, context, info) => {
    const rule = records[type]
    const operation = rule === undefined ? undefined : queries[rule.lookUp]
    if (rule === undefined || operation === undefined) return null
    const read = { args: { ...others, ...rule.toArguments(key) }, projectId }
    const found = await orNull(async () => callOperation(operation, {}, read, context, info))
    if (Array.isArray(found)) return found.find((one) => rule.toKey(one) === key) ?? null
    return isRecord(found) ? found : null
  }
}

const isRecord = (value: unknown): value is Values => typeof value === "object" && value !== null
