import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Flag, FlagFilter, FlagOrder, FlagRepository, FlagRequest, FlagStore } from "../flags.types.js"
import { findDependants } from "../validate/check-dependencies.js"
import { type PayloadSecrets, REDACTED_PAYLOAD } from "./payload-secrets.js"

/** Use cases that read flags. */
export interface FlagReads {
  /** Flags that are not deleted, newest first unless ordered otherwise. */
  list(projectId: ProjectId, filter: FlagFilter, page: PageRequest, order?: FlagOrder): Promise<ListPage<Flag>>
  /** @throws AppError not_found when unknown, of another project, or deleted. */
  get(projectId: ProjectId, id: number): Promise<Flag>
  /** Those of these flags that are not deleted, by number. */
  named(projectId: ProjectId, ids: readonly number[]): Promise<Flag[]>
  /** Those of these keys that are not deleted. */
  keyed(projectId: ProjectId, keys: readonly string[]): Promise<Flag[]>
  /** What a flag would have to be created with to be the same; payloads readable. @throws AppError does_not_exist. */
  export(projectId: ProjectId, key: string): Promise<Required<Omit<FlagRequest, "deleted">>>
  /** Active flags that depend on a flag directly. @throws AppError not_found. */
  dependants(projectId: ProjectId, id: number): Promise<Flag[]>
  /**
   * The payload of a flag that only delivers one, by its key or number (`docs/contract/flags.md#remote-configuration`);
   * null when it has none.
   * @param maySeeEncrypted whether the caller may see what the flag is marked to keep from the project's secret keys.
   * @throws AppError not_found also for a flag that is not a remote configuration.
   */
  remoteConfigPayload(projectId: ProjectId, keyOrId: string, maySeeEncrypted: boolean): Promise<Json>
}

/** Makes the use cases over stored flags. */
export const createFlagReads = (
  repository: Pick<FlagRepository, "list" | "find">,
  store: FlagStore,
  secrets: PayloadSecrets,
): FlagReads => ({
  list: (projectId, filter, page, order) => repository.list(projectId, filter, page, order),

  get: async (projectId, id) => {
    const flag = await repository.find(projectId, id)
    if (flag === null || flag.deleted) throw new AppError("not_found")
    return flag
  },

  keyed: async (projectId, keys) => {
    const wanted = new Set(keys)
    return (await store.listAll(projectId)).filter(({ key }) => wanted.has(key))
  },

  named: async (projectId, ids) => {
    const wanted = new Set(ids)
    return (await store.listAll(projectId)).filter(({ id }) => wanted.has(id))
  },

  export: async (projectId, key) => {
    const flag = (await store.listAll(projectId)).find((one) => one.key === key)
    if (flag === undefined) throw new AppError("does_not_exist", { attr: "key", detail: "There is no such flag." })
    const { name, active, tags, bucketingIdentifier, evaluationRuntime, evaluationContexts } = flag
    const { ensureExperienceContinuity, isRemoteConfiguration, hasEncryptedPayloads } = flag
    const plain = { key, name, active, tags, filters: secrets.open(flag) }
    const where = { bucketingIdentifier, evaluationRuntime, evaluationContexts }
    return { ...plain, ...where, ensureExperienceContinuity, isRemoteConfiguration, hasEncryptedPayloads }
  },

  dependants: async (projectId, id) => {
    const flags = await store.listAll(projectId)
    if (!flags.some((flag) => flag.id === id)) throw new AppError("not_found")
    return findDependants(flags, id)
  },

  remoteConfigPayload: async (projectId, keyOrId, maySeeEncrypted) => {
    const flag = await store.findNamed(projectId, keyOrId)
    if (flag?.isRemoteConfiguration !== true) throw new AppError("not_found")
    if (flag.hasEncryptedPayloads && !maySeeEncrypted) return REDACTED_PAYLOAD
    const filters = secrets.open(flag)
    const payloads = isJsonObject(filters) ? filters.payloads : null
    return isJsonObject(payloads) ? (payloads.true ?? null) : null
  },
})
