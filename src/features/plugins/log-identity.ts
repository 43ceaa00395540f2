import type { ProjectId } from "../../kernel/ids.js"

/** What the cursors of a live log belong to. */
export const toLogIdentity = (projectId: ProjectId, pluginConfigId: number): readonly unknown[] => [
  "plugin log",
  projectId,
  pluginConfigId,
]
