import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectQuestion } from "../persons.types.js"
import { isGroupIdentify } from "./event-names.js"
import { toText } from "./group-registry.js"
import { readMergeRequest } from "./merge-request.js"
import type { PersonEvent } from "./process.types.js"

/** Which facts a workspace needs before it may process these events of one project. */
export function collectQuestion(projectId: ProjectId, events: readonly PersonEvent[]): ProjectQuestion {
  const distinctIds = new Set<string>()
  const mergingDistinctIds = new Set<string>()
  const groups = new Map<string, { typeName: string; key: string }>()
  for (const event of events) {
    distinctIds.add(event.distinctId)
    const merge = readMergeRequest(event)
    if (merge !== null)
      for (const distinctId of [merge.source, merge.target]) {
        distinctIds.add(distinctId)
        mergingDistinctIds.add(distinctId)
      }
    const { $group_type: type, $group_key: key } = event.properties
    if (!isGroupIdentify(event.event) || !type || !key) continue
    const group = { typeName: toText(type), key: toText(key) }
    groups.set(JSON.stringify(group), group)
  }
  return {
    projectId,
    distinctIds: [...distinctIds],
    mergingDistinctIds: [...mergingDistinctIds],
    groups: [...groups.values()],
  }
}
