import type { ProjectId } from "../../../kernel/ids.js"
import type { PersonWorkspace, ProjectChanges } from "../../persons/index.js"
import type { DefinitionCollector } from "../definitions/definition-catalogue.js"
import type { EnrichedEvent } from "../enrich/enriched-event.js"
import { toDateTime, toEventRow } from "../rows/event-row.js"
import { type EventRowBlock, EventRowWriter } from "../rows/event-rows.js"
import type { PropertyFieldsWriter } from "../rows/property-text.js"
import { createSpareFieldsWriter } from "../rows/spare-fields.js"
import type { SpareCatalogue, Spares } from "../spares/spare-catalogue.js"
import { type ProjectWarning, toIngestionWarning } from "../warnings/ingestion-warning.js"

/** Ten times what ten thousand events take; but each carries its person, who may have 640 KiB. */
const MAX_ROW_BYTES = 128 * 1024 * 1024

/** Everything that follows from some events and the facts before them. */
export interface ProcessedEvents {
  readonly changes: readonly ProjectChanges[]
  readonly eventRows: readonly EventRowBlock[]
  readonly warnings: readonly ProjectWarning[]
  readonly droppedCount: number
}

/** Processes events one after the other, each in the workspace of its project. */
export class EventProcessor {
  private readonly rows = new EventRowWriter()
  private readonly spareWriters = new Map<ProjectId, PropertyFieldsWriter>()
  private readonly warnings: ProjectWarning[] = []
  private droppedCount = 0
  private month = ""

  /** `workspaces`: one for each project of the events; `batch`: the number of theirs. */
  constructor(
    private readonly workspaces: ReadonlyMap<ProjectId, PersonWorkspace>,
    private readonly definitions: DefinitionCollector,
    private readonly spares: Spares,
    private readonly catalogue: Pick<SpareCatalogue, "count">,
    private readonly batch: number,
    private readonly maxRowBytes = MAX_ROW_BYTES,
  ) {}

  /** Whether there are so many rows that they are to be stored before there are more. */
  get isFull(): boolean {
    return this.rows.byteCount > this.maxRowBytes
  }

  /** `position` is that of the event in the batch. @returns the characters of its row. */
  add(position: number, event: EnrichedEvent): number {
    const { projectId } = event
    const workspace = this.workspaces.get(projectId)
    if (workspace === undefined) throw new Error(`there is no workspace of project ${projectId}`)
    const processed = workspace.process(event)
    for (const warning of processed.warnings) this.warnings.push(toIngestionWarning(event, warning, processed.kept))
    if (!processed.kept) {
      this.droppedCount += 1
      return 0
    }
    this.definitions.addEvent(projectId, event.event)
    this.definitions.addProperties({ projectId, kind: "event", groupTypeIndex: -1 }, processed.properties)
    const spares = this.spares.get(projectId) ?? []
    this.catalogue.count(projectId, processed.properties, spares)
    const text = toEventRow(event, processed, this.batch, position)
    const end = this.getSpareWriter(projectId, spares)(processed.properties)
    this.rows.add({ position, text, month: this.readMonth(event.timestamp) }, end)
    return text.length
  }

  finish(): ProcessedEvents {
    const changes = [...this.workspaces.values()].map((workspace) => workspace.takeChanges())
    return { changes, eventRows: this.rows.finish(), warnings: this.warnings, droppedCount: this.droppedCount }
  }

  private getSpareWriter(projectId: ProjectId, names: readonly string[]): PropertyFieldsWriter {
    const writer = this.spareWriters.get(projectId) ?? createSpareFieldsWriter(names)
    this.spareWriters.set(projectId, writer)
    return writer
  }

  /** Nearly always the month of the previous event: then the very same string. */
  private readMonth(timestamp: string): string {
    const month = toDateTime(timestamp).slice(0, 7)
    if (month !== this.month) this.month = month
    return this.month
  }
}

/** Adds the names of properties that persons and groups have now. */
export function addDefinitions(changes: readonly ProjectChanges[], definitions: DefinitionCollector): void {
  for (const { projectId, persons, groups } of changes) {
    for (const { properties } of persons)
      definitions.addProperties({ projectId, kind: "person", groupTypeIndex: -1 }, properties)
    for (const { typeIndex, properties } of groups)
      definitions.addProperties({ projectId, kind: "group", groupTypeIndex: typeIndex }, properties)
  }
}
