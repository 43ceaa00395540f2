import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

const PluginLogSourceEnum = registerEnum("PluginLogSource", "Who said it.", {
  SYSTEM: ["SYSTEM", "Waymark, about the plugin."],
  PLUGIN: ["PLUGIN", "The plugin itself."],
  CONSOLE: ["CONSOLE", "The plugin, on its console."],
})
export type PluginLogSourceEnum = EnumValue<typeof PluginLogSourceEnum>

export const PluginLogTypeEnum = registerEnum("PluginLogType", "How much it matters.", {
  DEBUG: ["DEBUG", "For whoever looks for a fault."],
  LOG: ["LOG", "Said in passing."],
  INFO: ["INFO", "Worth knowing."],
  WARN: ["WARN", "Something may be wrong."],
  ERROR: ["ERROR", "Something went wrong."],
})
export type PluginLogTypeEnum = EnumValue<typeof PluginLogTypeEnum>

@ObjectType("PluginConfig", { description: "A plugin as the project uses it." })
export class PluginConfigType {
  @Field(() => Int, { description: "Number of the configuration." })
  id!: number
  @Field(() => Int, { description: "Number of the plugin." })
  pluginId!: number
  @Field(() => String, { description: "Name of the plugin." })
  name!: string
  @Field(() => String, { description: "What the plugin does." })
  description!: string
  @Field(() => String, {
    nullable: true,
    description: "Which plugin of Waymark itself it is; null for a project's own.",
  })
  builtIn!: string | null
  @Field(() => Boolean, { description: "Whether it is switched on." })
  enabled!: boolean
  @Field(() => JsonScalar, { description: "Its options, an object." })
  config!: JsonObject
  @Field(() => DateTimeScalar, { description: "When it was added." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  updatedAt!: Date
}

export const PluginConfigConnection = createConnectionType("PluginConfig", () => PluginConfigType)

@InputType("PluginConfigInput", { description: "A plugin of the project's own." })
export class PluginConfigInput {
  @Field(() => String, { description: "1 to 200 characters." })
  name!: string
  @Field(() => String, { nullable: true, description: "What it does; empty when absent." })
  description?: string
  @Field(() => Boolean, { nullable: true, description: "Whether it is on; true when absent." })
  enabled?: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Its options, an object." })
  config?: Json
}

@InputType("PluginConfigChanges", { description: "What to change of a plugin; an absent field stays." })
export class PluginConfigChangesInput {
  @Field(() => Boolean, { nullable: true, description: "Whether it is on." })
  enabled?: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Its options, an object." })
  config?: Json
}

@ObjectType("PluginLogEntry", { description: "One thing that a plugin said." })
export class PluginLogEntryType {
  @Field(() => ID, { description: "UUID of the entry." })
  id!: string
  @Field(() => Int, { description: "Number of the project." })
  projectId!: ProjectId
  @Field(() => Int, { description: "Number of the plugin." })
  pluginId!: number
  @Field(() => Int, { description: "Number of the configuration." })
  pluginConfigId!: number
  @Field(() => DateTimeScalar, { description: "When it was said." })
  timestamp!: Date
  @Field(() => PluginLogSourceEnum, { description: "Who said it." })
  source!: PluginLogSourceEnum
  @Field(() => PluginLogTypeEnum, { description: "How much it matters." })
  type!: PluginLogTypeEnum
  @Field(() => String, { description: "What was said." })
  message!: string
  @Field(() => ID, { description: "UUID of the run or process that said it." })
  instanceId!: string
}

@ObjectType("LivePluginLogEntry", { description: "One thing that a plugin said, as it is watched." })
export class LivePluginLogEntryType extends PluginLogEntryType {
  @Field(() => String, { description: "Pass it as `since` to go on behind this entry. Of this plugin alone." })
  cursor!: string
  @Field(() => Int, {
    description: "Entries that were left out before this one: the reader was slow, or there were too many at once.",
  })
  missedBefore!: number
}

export const PluginLogConnection = createConnectionType("PluginLogEntry", () => PluginLogEntryType)

@InputType("PluginLogFilter", { description: "Conditions of a list of entries; all given ones must hold." })
export class PluginLogFilterInput {
  @Field(() => DateTimeScalar, { nullable: true, description: "Strictly later than this." })
  after?: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "Strictly earlier than this." })
  before?: Date
  @Field(() => String, { nullable: true, description: "Part of the message, any case." })
  search?: string
  @Field(() => [PluginLogTypeEnum], { nullable: true, description: "One of these types." })
  types?: PluginLogTypeEnum[]
}

@InputType("PluginLogInput", { description: "Something a plugin says." })
export class PluginLogInput {
  @Field(() => ID, { nullable: true, description: "UUID; ids of your own make a repeated call harmless." })
  id?: string
  @Field(() => DateTimeScalar, { nullable: true, description: "Now when absent." })
  timestamp?: Date
  @Field(() => PluginLogSourceEnum, { nullable: true, description: "PLUGIN when absent." })
  source?: PluginLogSourceEnum
  @Field(() => PluginLogTypeEnum, { nullable: true, description: "LOG when absent." })
  type?: PluginLogTypeEnum
  @Field(() => String, { description: "At most 100,000 characters." })
  message!: string
  @Field(() => ID, { nullable: true, description: "UUID of the run or process; a new one when absent." })
  instanceId?: string
}
