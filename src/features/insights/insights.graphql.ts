import { Field, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import { QueryInput } from "../queries/index.js"
import { SavedFilterInput, SavedInput, SavedType } from "./saved/saved.graphql.js"

@ObjectType("Insight", { implements: SavedType, description: "A query that is kept under a name." })
export class InsightType extends SavedType {
  @Field(() => Int, { description: "Number of the insight." })
  id!: number
  @Field(() => JsonScalar, { description: "The query as REST has it, which `raw` of an input takes back." })
  query!: Json
}

export const InsightConnection = createConnectionType("Insight", () => InsightType)

@InputType("SavedInsightInput", { description: "Writable fields of an insight; an absent field stays as it is." })
export class SavedInsightInput extends SavedInput {
  @Field(() => QueryInput, {
    nullable: true,
    description: "The query; needed when the insight is made. It is checked as if it were run.",
  })
  query?: QueryInput | null
}

@InputType("InsightFilter", { description: "Conditions of a list of insights; all given ones must hold." })
export class InsightFilterInput extends SavedFilterInput {
  @Field(() => String, { nullable: true, description: "Kind of the query, as REST names it: `TrendsQuery`." })
  kind?: string | null
}
