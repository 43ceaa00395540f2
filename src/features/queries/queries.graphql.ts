import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

const QueryRunStateEnum = registerEnum(
  "QueryRunState",
  "Where a run stands. COMPLETE, FAILED and CANCELLED are final.",
  {
    QUEUED: ["queued", "Waits for its turn."],
    RUNNING: ["running", "The engine works on it."],
    COMPLETE: ["complete", "The answer is there."],
    FAILED: ["failed", "Ended with a message and no answer."],
    CANCELLED: ["cancelled", "Somebody stopped it."],
  },
)

export const QueryExportFormatEnum = registerEnum("QueryExportFormat", "What an export is written in.", {
  CSV: ["csv", "Text by RFC 4180; cells that a spreadsheet would run are disarmed."],
  JSONL: ["jsonl", "One JSON object a line."],
  PARQUET: ["parquet", "One Parquet file."],
})
export type QueryExportFormatEnum = EnumValue<typeof QueryExportFormatEnum>

@InputType("RunQueryInput", { description: "A query object as REST takes it, and how fresh its answer has to be." })
export class RunQueryInput {
  @Field(() => JsonScalar, {
    description:
      'Query object, for example {"kind": "HogQLQuery", "query": "SELECT event, count() FROM events GROUP BY event"}.',
  })
  query!: Json
  @Field(() => String, {
    nullable: true,
    description: "Your own id of the run, for status and cancel; at most 200 characters.",
  })
  clientQueryId?: string | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: "blocking (default), async, lazy_async, force_blocking, force_async or force_cache.",
  })
  refresh?: Json
  @Field(() => Boolean, { nullable: true, description: 'Older way to write refresh: "async".' })
  async?: boolean | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Replaces the query's dates and adds properties: {date_from, date_to, properties}.",
  })
  filtersOverride?: Json
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Replaces values of the query's own variables, by their id.",
  })
  variablesOverride?: Json
}

@ObjectType("QueryProgress", { description: "What a running query has read so far." })
export class QueryProgressType {
  @Field(() => Number, { description: "Rows read by the engine." })
  rowsRead!: number
  @Field(() => Number, { description: "Bytes read by the engine." })
  bytesRead!: number
  @Field(() => Number, { description: "The engine's estimate of all rows to read." })
  estimatedRowsTotal!: number
  @Field(() => Number, { description: "Milliseconds since the engine began." })
  elapsedMs!: number
  @Field(() => Number, { nullable: true, description: "How much of it has been read, 0 to 100; null when unknown." })
  percentage!: number | null
}

@ObjectType("QueryRunError", { description: "What a run failed with, as a blocking query would have been answered." })
export class QueryRunErrorType {
  @Field(() => String, { description: "What `extensions.code` of an error would be." })
  code!: string
  @Field(() => String, { description: "The code that REST answers: `hogql_query_error`, or the engine's name for it." })
  wireCode!: string
  @Field(() => String, { description: "The sentence for people." })
  message!: string
  @Field(() => Int, { nullable: true, description: "First character of the query's text that it is about." })
  start!: number | null
  @Field(() => Int, { nullable: true, description: "Character behind the last one that it is about." })
  end!: number | null
}

@ObjectType("QueryRun", { description: "One tracked run of a query. REST polling reads the same state." })
export class QueryRunType {
  @Field(() => ID, { description: "The client's own id, or a made-up one." })
  id!: string
  @Field(() => QueryRunStateEnum, { description: "Where the run stands." })
  state!: string
  @Field(() => Int, { description: "Grows with every change; a later event never has a smaller one." })
  sequence!: number
  @Field(() => String, { nullable: true, description: "Why it failed, when it did." })
  errorMessage!: string | null
  @Field(() => JsonScalar, { nullable: true, description: "The answer, once complete." })
  answer!: Json | null
  @Field(() => QueryProgressType, { nullable: true, description: "Present while running." })
  progress!: QueryProgressType | null
  @Field(() => DateTimeScalar, { description: "When it was asked for." })
  queuedAt!: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "When a worker took it." })
  pickedUpAt!: Date | null
  @Field(() => DateTimeScalar, { nullable: true, description: "When it reached its final state." })
  endedAt!: Date | null
  @Field(() => DateTimeScalar, { description: "Until when this status is kept." })
  expiresAt!: Date
}
