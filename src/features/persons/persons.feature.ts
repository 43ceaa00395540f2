import type { CrashPoints } from "../../kernel/crash-points.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Platform } from "../../platform/platform.types.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { EventActorsResolver } from "./actors/event-actors.resolver.js"
import { createEventActorsService, type RunHogql } from "./actors/event-actors.service.js"
import { PersonChangesResolver } from "./changes/person-changes.resolver.js"
import { createPersonChangesService, type PersonEvents } from "./changes/person-changes.service.js"
import { createPersonSplits } from "./changes/person-split.store.js"
import { createPersonDeletions } from "./deletion/person-deletion.store.js"
import { createPersonLoaders } from "./directory/person.loader.js"
import { createPersonDirectory } from "./directory/person-directory.store.js"
import { createPersonSearch } from "./directory/person-search.store.js"
import { PersonsResolver } from "./directory/persons.resolver.js"
import { createPersonsService } from "./directory/persons.service.js"
import type { FilterRules } from "./directory/property-condition.js"
import { PersonEdgesResolver } from "./edges/person-edges.resolver.js"
import { createPersonEdges } from "./edges/person-edges.service.js"
import { StoredEventsResolver } from "./events/stored-events.resolver.js"
import { createStoredEventsService } from "./events/stored-events.service.js"
import type { ExportPermits } from "./hold-export.js"
import type {
  DeleteRecordings,
  KeptAnswers,
  KeptSessions,
  PendingCopies,
  PersonDeletionListener,
} from "./persons.types.js"

export interface PersonsFeatureDependencies extends Pick<Platform, "clickHouse" | "clock" | "logger"> {
  readonly database: Pick<Database, "pool" | "searchPool" | "transaction">
  readonly events: PersonEvents
  readonly runHogql: RunHogql
  /** Of the flags feature: what both understand by the value of a filter. */
  readonly filterRules: FilterRules
  /** IANA name of a project's zone. */
  readonly readTimeZone: (projectId: ProjectId) => Promise<string>
  /** Features that keep something by person or distinct id (cohort members, flag overrides). */
  readonly deletionListeners: readonly PersonDeletionListener[]
  /** Features that keep something in which persons have to be searched for. */
  readonly traceListeners: readonly PersonDeletionListener[]
  /** Of the queries feature. */
  readonly answers: KeptAnswers
  /** Of the recordings feature. */
  readonly deleteRecordings: DeleteRecordings
  /** Of the sessions feature. */
  readonly sessions: KeptSessions
  /** Null or absent in every process that is not made to die. */
  readonly crashPoints?: CrashPoints | null
  /** How many exports may be in memory. */
  readonly exports: ExportPermits
  /** How long whoever deletes or splits waits for ClickHouse; 5 s when absent. */
  readonly applyTimeoutMs?: number
}

const APPLY_TIMEOUT_MS = 5000

/**
 * Wires the read side of persons and groups, and what changes persons by hand. Ingestion changes them through
 * `createPersonStore`.
 */
export function createPersonsFeature(dependencies: PersonsFeatureDependencies) {
  const {
    database,
    clickHouse,
    clock,
    logger,
    events,
    runHogql,
    filterRules,
    readTimeZone,
    deletionListeners,
    traceListeners,
    answers,
    deleteRecordings,
    sessions,
    crashPoints = null,
    exports,
    applyTimeoutMs = APPLY_TIMEOUT_MS,
  } = dependencies
  const directory = createPersonDirectory(database.pool, createPersonSearch(database.searchPool))
  const deletions = createPersonDeletions({
    database,
    clickHouse,
    deleteRecordings,
    sessions,
    clock,
    listeners: deletionListeners,
    traceListeners,
    answers,
    crashPoints,
  })
  const splits = createPersonSplits(database, clickHouse)
  const copies: PendingCopies = {
    async applyPending() {
      try {
        await deletions.applyPending()
      } finally {
        await splits.applyPending()
      }
    },
  }
  const loaders = createPersonLoaders(directory)
  const service = createPersonsService(directory, filterRules, readTimeZone, clock)
  const changes = createPersonChangesService({ directory, deletions, splits, events, clock, logger, applyTimeoutMs })
  const edges = createPersonEdges(runHogql, clock)
  return {
    directory,
    /** Deletions and splits that ClickHouse has yet to apply. */
    copies,
    loaders,
    service,
    changes,
    /** Which cohorts hold persons, as queries see it. */
    listHolding: edges.listHolding,
    resolvers: [
      new PersonsResolver(service, loaders, exports),
      new PersonChangesResolver(changes),
      new EventActorsResolver(createEventActorsService(runHogql), loaders, exports),
      new PersonEdgesResolver(service, edges, loaders),
      new StoredEventsResolver(createStoredEventsService(runHogql, clock), loaders),
    ] as const,
  }
}
