import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { withoutNulls } from "../../kernel/without-nulls.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { readPlaceCursor } from "../../platform/graphql/place-cursor.js"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"
import { ProjectScope, requireCaller } from "../access/index.js"
import { toLogIdentity } from "./log-identity.js"
import type { PluginConfigsService } from "./plugin-configs.service.js"
import type { PluginLogsService } from "./plugin-logs.service.js"
import type { LogEntryName } from "./plugin-logs.store.js"
import {
  LivePluginLogEntryType,
  PluginConfigChangesInput,
  PluginConfigConnection,
  PluginConfigInput,
  PluginConfigType,
  PluginLogConnection,
  PluginLogEntryType,
  PluginLogFilterInput,
  PluginLogInput,
  PluginLogTypeEnum,
} from "./plugins.graphql.js"
import type { PluginConfig, PluginLogEntry, PluginLogType } from "./plugins.types.js"

const READ = "plugin:read"
const WRITE = "plugin:write"
const CONFIG_ID = { description: "Number of the plugin's configuration." }

interface WatchArguments {
  readonly projectId: string
  readonly pluginConfigId: string
  readonly types?: readonly PluginLogType[] | null
  readonly search?: string | null
  readonly since?: string | null
}

/** GraphQL operations on plugins and their logs. */
@Resolver()
export class PluginsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, PluginConfig | null>
  private readonly entryLookUp: LoaderFactory<InProject<string>, PluginLogEntry | null>

  constructor(
    private readonly configs: PluginConfigsService,
    private readonly logs: PluginLogsService,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => configs.findMany(projectId, ids),
      ({ id }) => String(id),
    )
    this.entryLookUp = createLookUpLoader(
      (projectId, keys) => logs.findMany(projectId, keys.map(readEntryKey)),
      toEntryKey,
    )
  }

  @Query(() => PluginConfigConnection, { description: "Plugins of a project, Waymark's own among them." })
  async pluginConfigs(
    @ProjectScope(READ) projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<PluginConfig>> {
    return readConnection(paging, ["plugins", projectId], (page) => this.configs.list(projectId, page))
  }

  @Query(() => PluginConfigType, { nullable: true, description: "One plugin by its number; null if there is none." })
  pluginConfig(
    @ProjectScope(READ) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, CONFIG_ID) id: string,
  ): Promise<PluginConfig | null> {
    return context.loader(this.lookUp).load({ projectId, key: id })
  }

  @Query(() => PluginLogConnection, {
    description: "What a plugin said and the project keeps, newest first; nothing for a configuration that is unknown.",
  })
  async pluginLogs(
    @ProjectScope(READ) projectId: ProjectId,
    @Arg("pluginConfigId", () => ID, CONFIG_ID) id: string,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("filter", () => PluginLogFilterInput, { nullable: true, description: "Which entries." })
    filter: PluginLogFilterInput | undefined,
  ): Promise<Connection<PluginLogEntry>> {
    return readConnection(paging, ["plugin logs", projectId, id, filter], (page) =>
      this.logs.list(projectId, id, withoutNulls(filter ?? {}), page),
    )
  }

  @Query(() => PluginLogEntryType, { nullable: true, description: "One entry of a log; null if there is none." })
  pluginLogEntry(
    @ProjectScope(READ) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("pluginConfigId", () => Int, CONFIG_ID) pluginConfigId: number,
    @Arg("timestamp", () => DateTimeScalar, { description: "When it was said." }) timestamp: Date,
    @Arg("id", () => ID, { description: "UUID of the entry." }) id: string,
  ): Promise<PluginLogEntry | null> {
    const key = toEntryKey({ pluginConfigId, timestamp, id: id.toLowerCase() })
    return context.loader(this.entryLookUp).load({ projectId, key })
  }

  @Mutation(() => PluginConfigType, { description: "Adds a plugin of the project's own, whose logs can be kept here." })
  createPluginConfig(
    @ProjectScope(WRITE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => PluginConfigInput, { description: "The plugin." }) input: PluginConfigInput,
  ): Promise<PluginConfig> {
    return this.configs.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => PluginConfigType, { description: "Switches a plugin on or off, or sets its options." })
  updatePluginConfig(
    @ProjectScope(WRITE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, CONFIG_ID) id: string,
    @Arg("input", () => PluginConfigChangesInput, { description: "What to change." }) input: PluginConfigChangesInput,
  ): Promise<PluginConfig> {
    return this.configs.update(projectId, requireCaller(context).userId, id, input)
  }

  @Mutation(() => Int, {
    description: "Writes down what a plugin said, at most 1000 entries at once. Answers how many.",
  })
  async appendPluginLogs(
    @ProjectScope(WRITE) projectId: ProjectId,
    @Arg("pluginConfigId", () => ID, CONFIG_ID) id: string,
    @Arg("entries", () => [PluginLogInput], { description: "The entries." }) entries: PluginLogInput[],
  ): Promise<number> {
    return (await this.logs.append(projectId, id, entries)).length
  }

  @Subscription(() => LivePluginLogEntryType, {
    name: "pluginLogs",
    description:
      "What a plugin says, from now on or from a cursor on. Messages are cut at 4096 characters, but not in the query.",
    subscribe: async ({ args, context }: { args: WatchArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, READ)
      return context.findResolver(PluginsResolver).watch(projectId, args, context.resumesAfter ?? args.since ?? null)
    },
  })
  watchPluginLogs(
    @ProjectScope(READ) _projectId: ProjectId,
    @Arg("pluginConfigId", () => ID, CONFIG_ID) _id: string,
    @Arg("types", () => [PluginLogTypeEnum], { nullable: true, description: "Only entries of these types." })
    _types: PluginLogType[] | undefined,
    @Arg("search", () => String, { nullable: true, description: "Only entries with this in the message, any case." })
    _search: string | undefined,
    @Arg("since", () => String, {
      nullable: true,
      description: "Cursor of the last entry that was received: goes on behind it, also on another process.",
    })
    _since: string | undefined,
    @Root() entry: LivePluginLogEntryType,
  ): LivePluginLogEntryType {
    return entry
  }

  private watch(projectId: ProjectId, args: WatchArguments, since: string | null) {
    const filter = { types: args.types ?? null, search: args.search ?? null }
    return this.logs.watch(projectId, args.pluginConfigId, filter, (id) =>
      readPlaceCursor(toLogIdentity(projectId, id), since),
    )
  }
}

const toEntryKey = ({ pluginConfigId, timestamp, id }: LogEntryName): string =>
  JSON.stringify([pluginConfigId, timestamp.getTime(), id])

function readEntryKey(key: string): LogEntryName {
  const [pluginConfigId, time, id]: [number, number, string] = JSON.parse(key)
  return { pluginConfigId, timestamp: new Date(time), id }
}
