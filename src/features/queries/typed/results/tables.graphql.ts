import { Field, Int, InterfaceType, ObjectType } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { JsonScalar } from "../../../../platform/graphql/scalars.js"
import { QueryAnswerType } from "./query-answer.graphql.js"

@ObjectType("ResultColumn", { description: "A column of a table." })
export class ResultColumnType {
  @Field(() => String, { description: "Name of the column, or the expression that it shows." })
  name!: string
  @Field(() => String, { nullable: true, description: "The engine's type, such as `Nullable(String)`." })
  type!: string | null
}

/** An answer that is a page of a table. */
@InterfaceType("TableResult", {
  implements: QueryAnswerType,
  description: "An answer that is a page of a table.",
  resolveType: ({ resultType }: QueryAnswerType) => resultType,
})
export abstract class TableResultType extends QueryAnswerType {
  @Field(() => [ResultColumnType], { description: "The columns, in the order of the cells." })
  columns!: ResultColumnType[]
  @Field(() => [[JsonScalar]], { nullable: "items", description: "The rows, each a list of cells." })
  rows!: Json[][]
  @Field(() => Boolean, { description: "Whether more rows follow." })
  hasMore!: boolean
  @Field(() => Int, { nullable: true, description: "Most rows of the page." })
  limit!: number | null
  @Field(() => Int, { nullable: true, description: "Rows that were skipped." })
  offset!: number | null
}

const TABLE = { implements: [QueryAnswerType, TableResultType] }

@ObjectType("HogQLResult", { ...TABLE, description: "Rows of a SELECT in HogQL." })
export class HogQLResultType extends TableResultType {
  @Field(() => String, { nullable: true, description: "The SQL of the engine, when it was asked to be explained." })
  clickhouse!: string | null
  @Field(() => [String], { nullable: true, description: "The engine's plan line by line, likewise." })
  explain!: string[] | null
}

@ObjectType("EventsResult", { ...TABLE, description: "Rows of events, or of aggregates over them." })
export class EventsResultType extends TableResultType {}

@ObjectType("ActorsResult", { ...TABLE, description: "Rows of persons." })
export class ActorsResultType extends TableResultType {
  @Field(() => Int, { description: "Actors of the source that are no persons any more." })
  missingActorsCount!: number
}

@ObjectType("SessionsResult", { ...TABLE, description: "Rows of sessions, or of aggregates over them." })
export class SessionsResultType extends TableResultType {}

@ObjectType("QueriedPropertyValue", { description: "A value of a property." })
export class QueriedPropertyValueType {
  @Field(() => JsonScalar, { nullable: true, description: "The value: a text, a number or a boolean." })
  value!: Json
  @Field(() => Number, { description: "How many events or persons have it." })
  count!: number
}

@ObjectType("PropertyValuesResult", { implements: QueryAnswerType, description: "Values of a property." })
export class PropertyValuesResultType extends QueryAnswerType {
  @Field(() => [QueriedPropertyValueType], { description: "The values, those that most have first." })
  values!: QueriedPropertyValueType[]
}

@ObjectType("GroupsResult", { ...TABLE, description: "Rows of groups: name, key, and what was selected." })
export class GroupsResultType extends TableResultType {}
