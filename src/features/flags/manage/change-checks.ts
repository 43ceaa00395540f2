import { type StoredCohort, toFlagNames } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { Flag, FlagChanges, FlagRepository, FlagRequest, FlagStore } from "../flags.types.js"
import { checkDefinition } from "../validate/check-definition.js"
import { refuseCircle, refuseWhileNeeded } from "../validate/check-dependencies.js"
import { checkFields } from "../validate/check-fields.js"
import { refuseSecretElsewhere } from "../validate/check-secrecy.js"
import { type PayloadSecrets, withKeptPayloads } from "./payload-secrets.js"

export interface ChangeChecksDependencies {
  readonly repository: Pick<FlagRepository, "readRulesVersion">
  readonly store: Pick<FlagStore, "listAll">
  readonly cohorts: { listAll(projectId: ProjectId): Promise<readonly StoredCohort[]> }
  readonly secrets: PayloadSecrets
}

/** What a change saves, and the version of the rules at which it was checked against other flags; null when it was not. */
export interface CheckedChanges {
  readonly fields: FlagChanges
  readonly rulesVersion: number | null
}

/** Checks what is to be saved of flags against the rest of the project. */
export interface ChangeChecks {
  /** A definition in the form that is stored, payloads readable. @throws AppError invalid_input when it could not be saved. */
  definitionToStore(projectId: ProjectId, filters: Json, others: readonly Flag[]): Promise<JsonObject>
  /** What a request changes of a flag. @throws AppError of the rules of fields, secrecy and dependencies. */
  changesOf(flag: Flag, request: FlagRequest): Promise<CheckedChanges>
}

/** Makes the checks over the flags and cohorts that are stored. */
export function createChangeChecks({ repository, store, cohorts, secrets }: ChangeChecksDependencies): ChangeChecks {
  const definitionToStore = async (
    projectId: ProjectId,
    filters: Json,
    others: readonly Flag[],
  ): Promise<JsonObject> => {
    const cohortsById = new Map((await cohorts.listAll(projectId)).map((cohort) => [cohort.id, cohort]))
    return checkDefinition(filters, { cohorts: cohortsById, flags: toFlagNames(others) })
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
    const rulesVersion = await repository.readRulesVersion(flag.projectId)
    const flags = await store.listAll(flag.projectId)
    if (isLeaving) refuseWhileNeeded(flags, flag.id, fields.deleted === true ? "deleted" : "active")
    if (plain === undefined) return { fields, rulesVersion }
    const others = flags.filter((other) => other.id !== flag.id)
    const definition = await definitionToStore(flag.projectId, plain, others)
    const isSecret = fields.hasEncryptedPayloads ?? flag.hasEncryptedPayloads
    const filters = isSecret ? secrets.seal(flag.projectId, definition) : definition
    refuseCircle([...others, { ...flag, filters }], flag.id)
    return { fields: { ...fields, filters }, rulesVersion }
  }

  return { definitionToStore, changesOf }
}
