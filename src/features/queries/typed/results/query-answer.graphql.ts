import { Field, InterfaceType, ObjectType } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { DateTimeScalar, JsonScalar } from "../../../../platform/graphql/scalars.js"
import { QueryRunType } from "../../queries.graphql.js"
import type { QueryRun } from "../../runs/query-run.js"
import { QueryKindEnum } from "./query-kind.graphql.js"

@ObjectType("QueryCache", { description: "How old an answer is, and where it is kept." })
export class QueryCacheType {
  @Field(() => String, { description: "Key of the answer: the same for equal queries of the project." })
  key!: string
  @Field(() => Boolean, { description: "Whether it was calculated for an earlier request." })
  isCached!: boolean
  @Field(() => Boolean, {
    description: "Whether it is known to miss some events, or is older than its refresh allows.",
  })
  isStale!: boolean
  @Field(() => DateTimeScalar, { description: "When its calculation began." })
  computedAt!: Date
  @Field(() => DateTimeScalar, { description: "Every event that was accepted until then is in it." })
  dataThrough!: Date
}

@ObjectType("QueryTiming", { description: "How long one statement of a query took." })
export class QueryTimingType {
  @Field(() => String, { description: "What was done." })
  step!: string
  @Field(() => Number, { description: "Seconds." })
  seconds!: number
}

/** What every answer to a query says of itself. */
@InterfaceType("QueryAnswer", {
  description: "An answer to a query of any kind.",
  resolveType: ({ resultType }: QueryAnswerType) => resultType,
})
export abstract class QueryAnswerType {
  /** Name of its GraphQL type. */
  readonly resultType!: string
  @Field(() => QueryKindEnum, { description: "Kind of the query." })
  kind!: QueryKindEnum
  @Field(() => QueryCacheType, { description: "How old it is." })
  cache!: QueryCacheType
  @Field(() => String, { nullable: true, description: "The query as HogQL; of several statements the last one." })
  hogql!: string | null
  @Field(() => [QueryTimingType], { description: "Time of each statement." })
  timings!: QueryTimingType[]
  @Field(() => [String], { description: "What is worth knowing before the numbers are used." })
  warnings!: string[]
  @Field(() => QueryRunType, {
    nullable: true,
    description: "The run that calculates a newer answer, if there is one.",
  })
  run!: QueryRun | null
  @Field(() => JsonScalar, { description: "All of the answer, as REST gives it." })
  answer!: Json
}

/** The part of every answer that does not depend on its kind. */
export type AnswerPart = Omit<QueryAnswerType, "resultType">

@ObjectType("JsonResult", {
  implements: QueryAnswerType,
  description: "An answer of a kind without a type of its own.",
})
export class JsonResultType extends QueryAnswerType {}

@ObjectType("CacheMiss", { description: "No answer is kept, and FORCE_CACHE does not calculate one." })
export class CacheMissType {
  readonly resultType!: "CacheMiss"
  @Field(() => String, { description: "Key under which the answer would be kept." })
  key!: string
}
