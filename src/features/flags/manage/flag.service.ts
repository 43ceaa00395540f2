import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { createQueues } from "../../../kernel/one-at-a-time.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import { namesOf } from "../compile/dependency-order.js"
import type { StoredCohort } from "../compile/rule-document.types.js"
import type { Flag, FlagChanges, FlagFilter, FlagOrder, FlagRepository } from "../flags.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { checkDefinition } from "../validate/check-definition.js"
import { dependantsOf, refuseCircle, refuseWhileNeeded } from "../validate/check-dependencies.js"
import { checkFields } from "../validate/check-fields.js"
import { refuseSecretElsewhere } from "../validate/check-secrecy.js"
import type { FlagRequest } from "./flag-request.types.js"
import { type PayloadSecrets, REDACTED_PAYLOAD, withKeptPayloads } from "./payload-secrets.js"

/** Use cases on flags. Faults are AppErrors naming the field and the rule. */
export interface FlagService {
  /** Flags that are not deleted, newest first unless ordered otherwise. */
  list(projectId: ProjectId, filter: FlagFilter, window: OffsetWindow, order?: FlagOrder): Promise<Page<Flag>>
  /** @throws AppError not_found when unknown, of another project, or deleted. */
  get(projectId: ProjectId, id: number): Promise<Flag>
  /** Those of these flags that are not deleted, by number. */
  named(projectId: ProjectId, ids: readonly number[]): Promise<Flag[]>
  /** @throws AppError invalid_input when a definition could not be saved. */
  check(projectId: ProjectId, filters: Json): Promise<void>
  /** What a flag would have to be created with to be the same; payloads readable. @throws AppError does_not_exist. */
  export(projectId: ProjectId, key: string): Promise<Required<Omit<FlagRequest, "deleted">>>
  /** Active flags that depend on a flag directly. @throws AppError not_found. */
  dependants(projectId: ProjectId, id: number): Promise<Flag[]>
  /**
   * The payload of a flag that only delivers one, by its key or number (`reference/flags.md` 7.2); null when it has none.
   * @param maySeeEncrypted whether the caller may see what the flag is marked to keep from the project's secret keys.
   * @throws AppError not_found also for a flag that is not a remote configuration.
   */
  remoteConfigPayload(projectId: ProjectId, keyOrId: string, maySeeEncrypted: boolean): Promise<Json>
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
  ): Promise<Flag>
}

export interface FlagServiceDependencies {
  readonly repository: FlagRepository
  /** Cohorts of a project that are not deleted. */
  readonly cohortsOf: (projectId: ProjectId) => Promise<readonly StoredCohort[]>
  readonly rules: Pick<FlagRulesService, "changed">
  readonly secrets: PayloadSecrets
  readonly clock: Clock
}

/** Changes by other processes in between before a busy project is given up; those of this one wait for each other. */
const MAX_ATTEMPTS = 10

/** What a change saves, and the version of the rules at which it was checked against other flags; null when it was not. */
interface CheckedChanges {
  readonly fields: FlagChanges
  readonly rulesVersion: number | null
}

/** Makes the use cases of managing flags. */
export function createFlagService(dependencies: FlagServiceDependencies): FlagService {
  const { repository, cohortsOf, rules, secrets, clock } = dependencies
  const inTurn = createQueues<ProjectId>()
  const definitionToStore = async (projectId: ProjectId, filters: Json, others: readonly Flag[]) => {
    const cohorts = new Map((await cohortsOf(projectId)).map((cohort) => [cohort.id, cohort]))
    return checkDefinition(filters, { cohorts, flags: namesOf(others) })
  }

  /**
   * The definition that a change saves, readable: when it writes one, changes whether payloads are secret, or brings back a
   * flag whose cohorts and flags may be gone by now. Undefined when it does none of that.
   */
  const changedDefinition = (flag: Flag, fields: FlagChanges, filters: Json | undefined): Json | undefined => {
    if (filters !== undefined) return withKeptPayloads(filters, () => secrets.open(flag))
    const after = { ...flag, ...fields }
    const isSecrecyChanged = after.hasEncryptedPayloads !== flag.hasEncryptedPayloads
    return isSecrecyChanged || (flag.deleted && !after.deleted) ? secrets.open(flag) : undefined
  }

  const changesOf = async (flag: Flag, request: FlagRequest): Promise<CheckedChanges> => {
    const fields = checkFields(request)
    refuseSecretElsewhere(flag, fields)
    const plain = changedDefinition(flag, fields, request.filters)
    const isLeaving = fields.deleted === true || fields.active === false
    if (plain === undefined && !isLeaving) return { fields, rulesVersion: null }
    const rulesVersion = await repository.rulesVersion(flag.projectId)
    const flags = await repository.all(flag.projectId)
    if (isLeaving) refuseWhileNeeded(flags, flag.id, fields.deleted === true ? "deleted" : "active")
    if (plain === undefined) return { fields, rulesVersion }
    const others = flags.filter((other) => other.id !== flag.id)
    const definition = await definitionToStore(flag.projectId, plain, others)
    const isSecret = fields.hasEncryptedPayloads ?? flag.hasEncryptedPayloads
    const filters = isSecret ? secrets.seal(flag.projectId, definition) : definition
    refuseCircle([...others, { ...flag, filters }], flag.id)
    return { fields: { ...fields, filters }, rulesVersion }
  }

  /** Writes until nobody was first, and hands the change on. @throws AppError conflict when others always are. */
  const written = async (projectId: ProjectId, write: () => Promise<Flag | null>): Promise<Flag> => {
    const flag = await inTurn(projectId, async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const written = await write()
        if (written !== null) return written
      }
      throw new AppError("conflict", { attr: "version" })
    })
    await rules.changed(projectId)
    return flag
  }

  return {
    list: (projectId, filter, window, order) => repository.list(projectId, filter, window, order),

    get: async (projectId, id) => {
      const flag = await repository.find(projectId, id)
      if (flag === null || flag.deleted) throw new AppError("not_found")
      return flag
    },

    named: async (projectId, ids) => {
      const wanted = new Set(ids)
      return (await repository.all(projectId)).filter(({ id }) => wanted.has(id))
    },

    check: async (projectId, filters) => {
      await definitionToStore(projectId, filters, await repository.all(projectId))
    },

    export: async (projectId, key) => {
      const flag = (await repository.all(projectId)).find((one) => one.key === key)
      if (flag === undefined) throw new AppError("does_not_exist", { attr: "key", detail: "There is no such flag." })
      const { name, active, tags, bucketingIdentifier, evaluationRuntime, evaluationContexts } = flag
      const { ensureExperienceContinuity, isRemoteConfiguration, hasEncryptedPayloads } = flag
      const plain = { key, name, active, tags, filters: secrets.open(flag) }
      const where = { bucketingIdentifier, evaluationRuntime, evaluationContexts }
      return { ...plain, ...where, ensureExperienceContinuity, isRemoteConfiguration, hasEncryptedPayloads }
    },

    dependants: async (projectId, id) => {
      const flags = await repository.all(projectId)
      if (!flags.some((flag) => flag.id === id)) throw new AppError("not_found")
      return dependantsOf(flags, id)
    },

    remoteConfigPayload: async (projectId, keyOrId, maySeeEncrypted) => {
      const flag = await repository.findNamed(projectId, keyOrId)
      if (flag?.isRemoteConfiguration !== true) throw new AppError("not_found")
      if (flag.hasEncryptedPayloads && !maySeeEncrypted) return REDACTED_PAYLOAD
      const filters = secrets.open(flag)
      const payloads = isJsonObject(filters) ? filters.payloads : null
      return isJsonObject(payloads) ? (payloads.true ?? null) : null
    },

    create: async (projectId, author, request) => {
      const { key, ...fields } = checkFields(request)
      if (key === undefined) throw new AppError("required", { attr: "key" })
      refuseSecretElsewhere(DEFAULTS, fields)
      return written(projectId, async () => {
        const rulesVersion = await repository.rulesVersion(projectId)
        const others = await repository.all(projectId)
        const definition = await definitionToStore(projectId, request.filters ?? { groups: [] }, others)
        const filters = fields.hasEncryptedPayloads === true ? secrets.seal(projectId, definition) : definition
        const now = new Date(clock.now())
        const authorship = { createdAt: now, createdById: author, updatedAt: now, lastModifiedById: author }
        return repository.insert({ ...DEFAULTS, ...fields, projectId, key, filters, ...authorship }, rulesVersion)
      })
    },

    update: (projectId, author, id, request, expectedVersion) =>
      written(projectId, async () => {
        const flag = await repository.find(projectId, id)
        if (flag === null || (flag.deleted && request.deleted !== false)) throw new AppError("not_found")
        if (expectedVersion !== null && expectedVersion !== flag.version) throw staleVersion(flag.version)
        const { fields, rulesVersion } = await changesOf(flag, request)
        const authorship = { updatedAt: new Date(clock.now()), lastModifiedById: author }
        return repository.update(projectId, id, flag.version, { ...fields, ...authorship }, rulesVersion)
      }),
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
