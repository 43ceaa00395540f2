import { Field, InputType, Int, ObjectType } from "type-graphql"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"
import { OneOfInput } from "../../../platform/graphql/one-of.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

const ContentEnum = registerEnum("ScheduledExportContent", "What an export writes.", {
  EVENTS: ["events", "Events that were stored in the interval, whatever their own time."],
  PERSONS: ["persons", "All persons as they are after the interval, a row for each of their ids."],
  GROUPS: ["groups", "All groups as they are after the interval."],
})
type ContentEnum = EnumValue<typeof ContentEnum>
const FrequencyEnum = registerEnum("ScheduledExportFrequency", "How long an interval is.", {
  HOURLY: ["hourly", "It ends with each full hour, UTC."],
  DAILY: ["daily", "It ends at midnight, UTC."],
})
type FrequencyEnum = EnumValue<typeof FrequencyEnum>
const FormatEnum = registerEnum("ScheduledExportFormat", "What files are.", {
  PARQUET: ["parquet", "Parquet."],
  JSON_LINES: ["jsonl", "A JSON object a line."],
})
type FormatEnum = EnumValue<typeof FormatEnum>
const TargetKindEnum = registerEnum("ScheduledExportTargetKind", "What kind of place files go to.", {
  FOLDER: ["folder", "A folder of the server, inside of EXPORT_DIR."],
  S3: ["s3", "A bucket of a server that speaks S3."],
})
type TargetKindEnum = EnumValue<typeof TargetKindEnum>
const RunStatusEnum = registerEnum("ScheduledExportRunStatus", "What became of an interval.", {
  RUNNING: ["running", "It is worked on, or waits for its turn."],
  FAILED: ["failed", "It could not be written and is tried again, with growing pauses; later ones wait for it."],
  COMPLETED: ["completed", "All its files and its manifest are written."],
})
type RunStatusEnum = EnumValue<typeof RunStatusEnum>

const PREFIX = "Begins the paths of files: letters, digits, `.`, `_`, `=` and `-`, with slashes between; may be empty."
const ENDPOINT = "Address of the server, such as `https://s3.eu-central-1.amazonaws.com`; the bucket is in the path."

@ObjectType("ScheduledExportTarget", { description: "Where files go to. The secret of a bucket is never shown." })
class TargetType {
  @Field(() => TargetKindEnum, { description: "What kind of place it is." })
  kind!: TargetKindEnum
  @Field(() => String, { description: PREFIX })
  prefix!: string
  @Field(() => String, { nullable: true, description: `${ENDPOINT} Null for a folder.` })
  endpoint!: string | null
  @Field(() => String, { nullable: true, description: "Region of the bucket; null for a folder." })
  region!: string | null
  @Field(() => String, { nullable: true, description: "Name of the bucket; null for a folder." })
  bucket!: string | null
  @Field(() => String, { nullable: true, description: "Id of the key that writes there; null for a folder." })
  accessKeyId!: string | null
}

@ObjectType("ScheduledExport", { description: "Files that a project has made by schedule." })
export class ScheduledExportType {
  @Field(() => Int, { description: "Number of the export." })
  id!: number
  @Field(() => String, { description: "Name for people." })
  name!: string
  @Field(() => ContentEnum, { description: "What it writes." })
  content!: ContentEnum
  @Field(() => FrequencyEnum, { description: "How long an interval is." })
  frequency!: FrequencyEnum
  @Field(() => FormatEnum, { description: "What files are." })
  format!: FormatEnum
  @Field(() => TargetType, { description: "Where files go to." })
  target!: TargetType
  @Field(() => Boolean, { description: "Whether it rests; what was missed is made up for when it goes on." })
  isPaused!: boolean
  @Field(() => DateTimeScalar, { description: "What was stored before, since the export was made, is written." })
  exportedUntil!: Date
  @Field(() => DateTimeScalar, { description: "When the next interval, or the next attempt, is due." })
  dueAt!: Date
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Since when an interval could not be written; null while nothing is wrong.",
  })
  failingSince!: Date | null
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it was last changed by somebody." })
  updatedAt!: Date
}

@ObjectType("ScheduledExportRun", { description: "An interval of an export, and what became of it." })
export class ExportRunType {
  @Field(() => Int, { description: "Number of the run." })
  id!: number
  @Field(() => DateTimeScalar, { description: "Where the interval begins; events are in it by when they were stored." })
  intervalFrom!: Date
  @Field(() => DateTimeScalar, { description: "Where it ends." })
  intervalTo!: Date
  @Field(() => RunStatusEnum, { description: "What became of it." })
  status!: RunStatusEnum
  @Field(() => Int, { description: "How often it was tried." })
  attempts!: number
  @Field(() => String, { nullable: true, description: "Why the last attempt failed; null when it did not." })
  error!: string | null
  @Field(() => DateTimeScalar, { description: "When it was first worked on." })
  startedAt!: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "When it was completed; null until then." })
  finishedAt!: Date | null
}

export const ScheduledExportConnection = createConnectionType("ScheduledExport", () => ScheduledExportType)
export const ExportRunConnection = createConnectionType("ScheduledExportRun", () => ExportRunType)

@InputType("ScheduledExportFolderInput", { description: "A folder of the server, inside of EXPORT_DIR." })
class FolderInput {
  @Field(() => String, { nullable: true, description: PREFIX })
  prefix?: string | null
}

@InputType("ScheduledExportS3Input", { description: "A bucket of a server that speaks S3." })
class S3Input {
  @Field(() => String, { description: ENDPOINT })
  endpoint!: string
  @Field(() => String, { description: "Region of the bucket, as in `eu-central-1`; `auto` for servers without any." })
  region!: string
  @Field(() => String, { description: "Name of the bucket." })
  bucket!: string
  @Field(() => String, { nullable: true, description: PREFIX })
  prefix?: string | null
  @Field(() => String, { description: "Id of a key that may write objects there." })
  accessKeyId!: string
  @Field(() => String, {
    nullable: true,
    description: "Its secret, which is kept encrypted. Absent when it stays, at the same endpoint and of the same key.",
  })
  secretAccessKey?: string | null
}

@OneOfInput()
@InputType("ScheduledExportTargetInput", { description: "Where files go to; it is tried before it is kept." })
export class ScheduledExportTargetInput {
  @Field(() => FolderInput, { nullable: true, description: "A folder of the server." })
  folder?: FolderInput | null
  @Field(() => S3Input, { nullable: true, description: "A bucket." })
  s3?: S3Input | null
}

@InputType("ScheduledExportInput", {
  description:
    "Writable fields of an export; an absent field stays as it is. A new one needs name, content and target.",
})
export class ScheduledExportInput {
  @Field(() => String, { nullable: true, description: "Name for people, at most 200 characters." })
  name?: string | null
  @Field(() => ContentEnum, { nullable: true, description: "What it writes; stays as it was made." })
  content?: ContentEnum | null
  @Field(() => FrequencyEnum, { nullable: true, description: "How long an interval is; hourly when absent." })
  frequency?: FrequencyEnum | null
  @Field(() => FormatEnum, { nullable: true, description: "What files of later intervals are; Parquet when absent." })
  format?: FormatEnum | null
  @Field(() => ScheduledExportTargetInput, { nullable: true, description: "Where files go to." })
  target?: ScheduledExportTargetInput | null
  @Field(() => Boolean, { nullable: true, description: "Whether it rests." })
  isPaused?: boolean | null
}
