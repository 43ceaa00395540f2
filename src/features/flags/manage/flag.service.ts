import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { createKeyedMutex } from "../../../kernel/keyed-mutex.js"
import { retryOnConflict } from "../../../kernel/retry-on-conflict.js"
import type { ChangeOrigin } from "../change-origin.repository.js"
import type { Flag, FlagChanges, FlagRepository, FlagRequest, FlagStore } from "../flags.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { checkFields } from "../validate/check-fields.js"
import { refuseSecretElsewhere } from "../validate/check-secrecy.js"
import { type ChangeChecksDependencies, createChangeChecks } from "./change-checks.js"
import { createFlagReads, type FlagReads } from "./flag-reads.service.js"
import { listFlagChanges } from "./list-flag-changes.js"

/** Use cases on flags. Faults are AppErrors naming the field and the rule. */
export interface FlagService extends FlagReads {
  /** @throws AppError invalid_input when a definition could not be saved. */
  check(projectId: ProjectId, filters: Json): Promise<void>
  /** @throws AppError required, unique, invalid_input and the other rules of fields. */
  create(projectId: ProjectId, author: UserId, request: FlagRequest): Promise<Flag>
  /**
   * Changes a flag; `deleted: false` restores a deleted one.
   * @param expectedVersion version the caller saw; null to change whatever is there.
   * @throws AppError not_found, conflict when somebody changed the flag since, and the rules of fields.
   */
  update(
    projectId: ProjectId,
    author: UserId,
    id: number,
    request: FlagRequest,
    expectedVersion: number | null,
    origin?: ChangeOrigin,
  ): Promise<Flag>
  /**
   * What a change would save if it were made now, payloads as they are stored.
   * @throws AppError not_found, conflict, and the rules of fields, as `update`.
   */
  preview(
    projectId: ProjectId,
    id: number,
    request: FlagRequest,
    expectedVersion: number | null,
  ): Promise<PreviewedChange>
  /** A change that was previewed, to be made: payloads readable. @throws AppError store_unavailable without their key. */
  open(projectId: ProjectId, fields: FlagChanges): FlagRequest
}

/** A change that is made later. */
export interface PreviewedChange {
  readonly flag: Flag
  readonly fields: FlagChanges
  /** As the audit log would have it, without secrets. */
  readonly changes: JsonObject[]
}

export interface FlagServiceDependencies extends ChangeChecksDependencies {
  readonly repository: FlagRepository
  readonly store: FlagStore
  readonly rules: Pick<FlagRulesService, "changed">
  readonly clock: Clock
}

/** Makes the use cases of managing flags. */
export function createFlagService(dependencies: FlagServiceDependencies): FlagService {
  const { repository, store, rules, secrets, clock } = dependencies
  const { definitionToStore, changesOf } = createChangeChecks(dependencies)
  const exclusively = createKeyedMutex<ProjectId>()

  /** Writes again when somebody else was first, and hands the change on. @throws AppError conflict when others always are. */
  const save = async (projectId: ProjectId, write: () => Promise<Flag | null>): Promise<Flag> => {
    const flag = await exclusively(projectId, () => retryOnConflict(write, { attr: "version" }))
    await rules.changed(projectId)
    return flag
  }

  /** @throws AppError not_found, also for a deleted flag unless the request restores it; conflict for another version. */
  const find = async (
    projectId: ProjectId,
    id: number,
    request: FlagRequest,
    expectedVersion: number | null,
  ): Promise<Flag> => {
    const flag = await repository.find(projectId, id)
    if (flag === null || (flag.deleted && request.deleted !== false)) throw new AppError("not_found")
    if (expectedVersion !== null && expectedVersion !== flag.version) throw staleVersion(flag.version)
    return flag
  }

  return {
    ...createFlagReads(repository, store, secrets),

    check: async (projectId, filters) => {
      await definitionToStore(projectId, filters, await store.listAll(projectId))
    },

    create: async (projectId, author, request) => {
      const { key, ...fields } = checkFields(request)
      if (key === undefined) throw new AppError("required", { attr: "key" })
      refuseSecretElsewhere(DEFAULTS, fields)
      return save(projectId, async () => {
        const rulesVersion = await repository.readRulesVersion(projectId)
        const others = await store.listAll(projectId)
        const definition = await definitionToStore(projectId, request.filters ?? { groups: [] }, others)
        const filters = fields.hasEncryptedPayloads === true ? secrets.seal(projectId, definition) : definition
        const now = new Date(clock.now())
        const authorship = { createdAt: now, createdById: author, updatedAt: now, lastModifiedById: author }
        return repository.insert({ ...DEFAULTS, ...fields, projectId, key, filters, ...authorship }, rulesVersion)
      })
    },

    update: (projectId, author, id, request, expectedVersion, origin) =>
      save(projectId, async () => {
        const flag = await find(projectId, id, request, expectedVersion)
        const { fields, rulesVersion } = await changesOf(flag, request)
        const authorship = { updatedAt: new Date(clock.now()), lastModifiedById: author }
        return repository.update(projectId, id, flag.version, { ...fields, ...authorship }, rulesVersion, origin)
      }),

    preview: async (projectId, id, request, expectedVersion) => {
      const flag = await find(projectId, id, request, expectedVersion)
      const { fields } = await changesOf(flag, request)
      return { flag, fields, changes: listFlagChanges(flag, { ...flag, ...fields }) }
    },

    open: (projectId, { filters, ...fields }) =>
      filters === undefined
        ? fields
        : { ...fields, filters: secrets.open({ projectId, filters, hasEncryptedPayloads: true }) },
  }
}

const DEFAULTS = {
  name: "",
  active: true,
  deleted: false,
  ensureExperienceContinuity: false,
  bucketingIdentifier: "distinct_id",
  evaluationRuntime: "all",
  evaluationContexts: [] as string[],
  tags: [] as string[],
  isRemoteConfiguration: false,
  hasEncryptedPayloads: false,
} as const

const staleVersion = (version: number): AppError =>
  new AppError("conflict", {
    attr: "version",
    detail: `The feature flag was changed since you read it; it has version ${version} now.`,
  })
