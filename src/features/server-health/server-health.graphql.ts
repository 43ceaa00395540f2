import { Field, Float, Int, ObjectType } from "type-graphql"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"

const StoreEnum = registerEnum("Store", "A store that the server needs.", {
  POSTGRES: ["postgres", "PostgreSQL: what was accepted, people, records."],
  CLICKHOUSE: ["clickhouse", "ClickHouse: events and recordings, for queries."],
  REDIS: ["redis", "Redis: what processes share; only where there are several."],
})
export type StoreName = EnumValue<typeof StoreEnum>

const RefusalEnum = registerEnum("CaptureRefusal", "Why no events are accepted.", {
  DISK: ["disk", "The disk is nearly full."],
  BACKLOG: ["backlog", "Too many wait to be stored."],
})
export type RefusalEnum = EnumValue<typeof RefusalEnum>

@ObjectType("StoreHealth", { description: "How a store is, as the process sees it that answers." })
export class StoreHealthType {
  @Field(() => StoreEnum, { description: "Which one." })
  store!: StoreName
  @Field(() => Boolean, { description: "Whether it answered within two seconds." })
  isReachable!: boolean
  @Field(() => Float, { nullable: true, description: "Milliseconds that the answer took; null when none came." })
  latencyMs!: number | null
  @Field(() => Float, { nullable: true, description: "Bytes that its data takes; null where that is not known." })
  usedBytes!: number | null
  @Field(() => Float, { nullable: true, description: "Bytes that its disk has left; null where that is not known." })
  freeBytes!: number | null
}

@ObjectType("ServerHealth", { description: "How the server and its stores are; at most five seconds old." })
export class ServerHealthType {
  @Field(() => [StoreHealthType], { description: "Its stores." })
  stores!: StoreHealthType[]
  @Field(() => Float, {
    nullable: true,
    description: "Age in seconds of the oldest accepted event that is not stored; 0 when none waits, null if unknown.",
  })
  oldestUnstoredSeconds!: number | null
  @Field(() => Int, {
    nullable: true,
    description: "Shards of accepted events that no process stores; null if unknown.",
  })
  shardsWithoutOwner!: number | null
  @Field(() => Int, { nullable: true, description: "All shards; null if unknown." })
  shardCount!: number | null
  @Field(() => RefusalEnum, { nullable: true, description: "Why no events are accepted; null while they are." })
  captureRefusal!: RefusalEnum | null
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "The moment that the last finished backup holds; null when there was none that is known.",
  })
  lastBackupAt!: Date | null
  @Field(() => DateTimeScalar, { description: "When all of this was read." })
  measuredAt!: Date
}
