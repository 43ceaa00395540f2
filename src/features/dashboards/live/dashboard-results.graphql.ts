import { Field, ID, ObjectType } from "type-graphql"
import { type QueryResult, QueryResultUnion, QueryRunErrorType } from "../../queries/index.js"

@ObjectType("DashboardTileResult", { description: "What a tile of a dashboard has come to." })
export class DashboardTileResultType {
  @Field(() => ID, { description: "Id of the tile within the dashboard." })
  tileId!: string
  @Field(() => QueryResultUnion, { nullable: true, description: "A state of the run, or the answer." })
  result!: QueryResult | null
  @Field(() => QueryRunErrorType, { nullable: true, description: "Why the tile is not run, when it is not." })
  error!: QueryRunErrorType | null
}
