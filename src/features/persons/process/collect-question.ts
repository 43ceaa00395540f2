import type { ProjectId } from "../../../kernel/ids.js"
import type { AskedOfEvent, ProjectQuestion } from "../persons.types.js"
import { isGroupIdentify } from "./event-names.js"
import { readGroupName } from "./group-registry.js"
import { readMergeRequest } from "./merge-request.js"
import type { PersonEvent } from "./process.types.js"

type AskingEvent = Pick<PersonEvent, "event" | "distinctId" | "properties">

/** Which facts a workspace needs before it may process an event. Most events ask for nothing but their distinct id. */
export function readAsked(event: AskingEvent): AskedOfEvent {
  const merge = readMergeRequest(event)
  return {
    distinctId: event.distinctId,
    merging: merge === null ? null : [merge.source, merge.target],
    group: isGroupIdentify(event.event) ? readGroupName(event.properties) : null,
  }
}

/** Puts what some events of one project ask for into one question. */
export class QuestionCollector {
  private readonly distinctIds = new Set<string>()
  private readonly mergingDistinctIds = new Set<string>()
  private readonly groups = new Map<string, { typeName: string; key: string }>()

  constructor(private readonly projectId: ProjectId) {}

  add({ distinctId, merging, group }: AskedOfEvent): void {
    this.distinctIds.add(distinctId)
    if (merging !== null)
      for (const id of merging) {
        this.distinctIds.add(id)
        this.mergingDistinctIds.add(id)
      }
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
  for (const event of events) collector.add(readAsked(event))
  return collector.question()
}
