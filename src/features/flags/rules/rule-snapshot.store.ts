import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { RULE_DOCUMENT_FORMAT, type RuleDocument } from "../../../flag-engine/index.js"
import { asProjectId, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject } from "../../../kernel/json.js"
import type { RuleSnapshots } from "../flags.types.js"
import { readSnapshotFile, writeSnapshotFile } from "./snapshot-file.store.js"

/** Rule documents as files `<projectId>.json` in a directory. */
export function createRuleSnapshots(directory: string): RuleSnapshots {
  const writing = new Map<ProjectId, Promise<void>>()
  /** Documents that wait to be written. When changes come faster than the disk takes them, only the last is. */
  const waiting = new Map<ProjectId, RuleDocument>()
  const writtenVersions = new Map<ProjectId, number>()
  const confirmationFile = join(directory, "confirmed-at.json")
  const pathOf = (projectId: ProjectId) => join(directory, `${projectId}.json`)

  const read = async (projectId: ProjectId): Promise<RuleDocument | null> => {
    const content = await readSnapshotFile(pathOf(projectId))
    if (!isJsonObject(content) || content.format !== RULE_DOCUMENT_FORMAT || content.projectId !== projectId)
      return null
    return content as unknown as RuleDocument
  }

  const writeIfNewer = async (document: RuleDocument): Promise<void> => {
    const { projectId, version } = document
    const known = writtenVersions.get(projectId) ?? (await read(projectId))?.version ?? -1
    if (known >= version) return
    await writeSnapshotFile(pathOf(projectId), document)
    writtenVersions.set(projectId, version)
  }

  return {
    read,
    readConfirmedAt: async () => {
      const content = await readSnapshotFile(confirmationFile)
      return isJsonObject(content) && typeof content.confirmedAtMs === "number" ? content.confirmedAtMs : null
    },
    writeConfirmedAt: (confirmedAtMs) => writeSnapshotFile(confirmationFile, { confirmedAtMs }),
    delete: async (projectId) => {
      waiting.delete(projectId)
      await writing.get(projectId)?.catch(() => undefined)
      writtenVersions.delete(projectId)
      await rm(pathOf(projectId), { force: true })
    },
    listProjectIds: async () => {
      const names = await readdir(directory).catch(() => [])
      return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [asProjectId(Number.parseInt(name, 10))] : []))
    },
    // One write of a project at a time: two would share the draft file.
    write: (document) => {
      const { projectId, version } = document
      const before = writing.get(projectId) ?? Promise.resolve()
      if ((waiting.get(projectId)?.version ?? -1) >= version) return before
      waiting.set(projectId, document)
      const written = before
        .catch(() => undefined)
        .then(() => {
          const newest = waiting.get(projectId)
          waiting.delete(projectId)
          return newest === undefined ? undefined : writeIfNewer(newest)
        })
      writing.set(projectId, written)
      return written
    },
  }
}
