import { FieldResolver, Resolver, Root } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { toEventRetentionDays } from "../../capture/index.js"
import { toPluginLogRetentionDays } from "../../plugins/index.js"
import { type Project, ProjectType } from "../../projects/index.js"
import { toRecordingRetentionDays } from "../../recordings/index.js"
import type { MeasuredStorage } from "./project-storage.cache.js"
import { ProjectStorageType } from "./project-storage.graphql.js"

/** Adds what it has stored to a project, which belongs to a feature that knows no data. */
@Resolver(() => ProjectType)
export class ProjectStorageResolver {
  constructor(private readonly read: (projectId: ProjectId) => Promise<MeasuredStorage>) {}

  @FieldResolver(() => ProjectStorageType, { description: "How much of it is stored, and for how long it is kept." })
  async storage(@Root() { id, settings }: Project): Promise<ProjectStorageType> {
    const { events, recordings, persons, pluginLogs, measuredAt } = await this.read(id)
    return {
      events: { ...events, retentionDays: toEventRetentionDays(settings) },
      recordings: { ...recordings, retentionDays: toRecordingRetentionDays(settings) },
      persons: { ...persons, retentionDays: null },
      pluginLogs: { ...pluginLogs, retentionDays: toPluginLogRetentionDays(settings) },
      measuredAt,
    }
  }
}
