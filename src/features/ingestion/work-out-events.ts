import type { ProjectId } from "../../kernel/ids.js"
import { PersonWorkspace, type ProjectChanges, type ProjectFacts, type ProjectQuestion } from "../persons/index.js"
import type { DefinitionCollector } from "./definitions/definition-catalogue.js"
import type { EnrichedEvent } from "./enrich/enriched-event.js"
import { toDateTime, toEventRow } from "./event-row.js"
import { type ProjectWarning, toIngestionWarning } from "./ingestion-warning.js"
import type { EventRow } from "./slice-sink.types.js"

/** An enriched event with its place in the slice. */
export interface EnrichedPlace {
  readonly position: number
  readonly event: EnrichedEvent
}

/** Everything that follows from some events and the facts before them. */
export interface WorkedOut {
  readonly changes: readonly ProjectChanges[]
  readonly eventRows: readonly EventRow[]
  readonly warnings: readonly ProjectWarning[]
  readonly droppedCount: number
}

/** Processes events in order, each in the workspace of its project. `facts` answer `questions`, one for each project. */
export function workOutEvents(
  events: readonly EnrichedPlace[],
  questions: readonly ProjectQuestion[],
  facts: readonly ProjectFacts[],
  definitions: DefinitionCollector,
): WorkedOut {
  const workspaces = new Map<ProjectId, PersonWorkspace>()
  for (const [index, { projectId }] of questions.entries())
    workspaces.set(projectId, new PersonWorkspace(projectId, facts[index] as ProjectFacts))
  const eventRows: EventRow[] = []
  const warnings: ProjectWarning[] = []
  for (const { position, event } of events) {
    const { projectId } = event
    const processed = (workspaces.get(projectId) as PersonWorkspace).process(event)
    for (const warning of processed.warnings) warnings.push(toIngestionWarning(event, warning, processed.kept))
    if (!processed.kept) continue
    definitions.addEvent(projectId, event.event)
    definitions.addProperties({ projectId, kind: "event", groupTypeIndex: -1 }, processed.properties)
    eventRows.push({ position, text: toEventRow(event, processed), month: toDateTime(event.timestamp).slice(0, 7) })
  }
  const changes = [...workspaces.values()].map((workspace) => workspace.changes())
  for (const change of changes) addDefinitions(change, definitions)
  return { changes, eventRows, warnings, droppedCount: events.length - eventRows.length }
}

function addDefinitions({ projectId, persons, groups }: ProjectChanges, definitions: DefinitionCollector): void {
  for (const { properties } of persons)
    definitions.addProperties({ projectId, kind: "person", groupTypeIndex: -1 }, properties)
  for (const { typeIndex, properties } of groups)
    definitions.addProperties({ projectId, kind: "group", groupTypeIndex: typeIndex }, properties)
}
