import { Field, Float, Int, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("StoredData", { description: "What a project has stored of one kind." })
class StoredDataType {
  @Field(() => Float, { description: "How many rows, counted; a recording has one for each part that was received." })
  rows!: number
  @Field(() => Float, {
    description: "Bytes on the disk, compressed. Estimated: of each month's files the share that the rows have.",
  })
  bytes!: number
  @Field(() => Int, { nullable: true, description: "Days for which the project keeps it; null for ever." })
  retentionDays!: number | null
}

@ObjectType("ProjectStorage", { description: "What a project has stored in ClickHouse, at most ten minutes old." })
export class ProjectStorageType {
  @Field(() => StoredDataType, { description: "Events, with the sessions that are made of them." })
  events!: StoredDataType
  @Field(() => StoredDataType, { description: "Recordings: their counters, what they play and lines of the console." })
  recordings!: StoredDataType
  @Field(() => StoredDataType, { description: "Persons in all versions that are kept, their ids, groups and cohorts." })
  persons!: StoredDataType
  @Field(() => StoredDataType, { description: "Logs of plugins." })
  pluginLogs!: StoredDataType
  @Field(() => DateTimeScalar, { description: "When it was measured." })
  measuredAt!: Date
}
