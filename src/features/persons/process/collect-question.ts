import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectQuestion } from "../persons.types.js"
import { isGroupIdentify } from "./event-names.js"
import { readGroupName } from "./group-registry.js"
import { readMergeRequest } from "./merge-request.js"
import type { PersonEvent } from "./process.types.js"

type AskingEvent = Pick<PersonEvent, "event" | "distinctId" | "properties">

/** Finds out which facts a workspace needs before it may process some events of one project. */
export class QuestionCollector {
  private readonly distinctIds = new Set<string>()
  private readonly mergingDistinctIds = new Set<string>()
  private readonly groups = new Map<string, { typeName: string; key: string }>()

  constructor(private readonly projectId: ProjectId) {}

  add(event: AskingEvent): void {
    this.distinctIds.add(event.distinctId)
    const merge = readMergeRequest(event)
    if (merge !== null)
      for (const distinctId of [merge.source, merge.target]) {
        this.distinctIds.add(distinctId)
        this.mergingDistinctIds.add(distinctId)
      }
    const group = isGroupIdentify(event.event) ? readGroupName(event.properties) : null
    if (group !== null) this.groups.set(JSON.stringify(group), group)
  }

  question(): ProjectQuestion {
    return {
      projectId: this.projectId,
      distinctIds: [...this.distinctIds],
      mergingDistinctIds: [...this.mergingDistinctIds],
      groups: [...this.groups.values()],
    }
  }
}

/** Which facts a workspace needs before it may process these events of one project. */
export function collectQuestion(projectId: ProjectId, events: readonly AskingEvent[]): ProjectQuestion {
  const collector = new QuestionCollector(projectId)
  for (const event of events) collector.add(event)
  return collector.question()
}
