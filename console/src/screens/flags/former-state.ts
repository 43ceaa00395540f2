import type { FlagHistoryQuery, UpdateFeatureFlagInput } from "../../graph/generated/graphql"

type Entry = NonNullable<NonNullable<FlagHistoryQuery["featureFlag"]>["activity"]>["nodes"][number]

/** What is different of a field between two states of a flag; the name is that of REST. */
export interface Difference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

type Changed = Omit<UpdateFeatureFlagInput, "id" | "projectId" | "version">

const BUCKETINGS = ["DISTINCT_ID", "DEVICE_ID"] as const
const RUNTIMES = ["ALL", "CLIENT", "SERVER"] as const

const isText = (value: unknown): value is string => typeof value === "string"
const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])
const findName = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name.toLowerCase() === value)

/** How the fields that can be put back are written. */
const WRITERS: Readonly<Record<string, (value: unknown) => Changed>> = {
  key: (key) => ({ key: String(key) }),
  name: (name) => ({ name: String(name) }),
  filters: (raw) => ({ filters: { raw } }),
  active: (active) => ({ active: active === true }),
  ensure_experience_continuity: (isKept) => ({ ensureExperienceContinuity: isKept === true }),
  bucketing_identifier: (id) => ({ bucketingIdentifier: findName(BUCKETINGS, id) }),
  evaluation_runtime: (runtime) => ({ evaluationRuntime: findName(RUNTIMES, runtime) }),
  evaluation_contexts: (contexts) => ({ evaluationContexts: toTexts(contexts) }),
  tags: (tags) => ({ tags: toTexts(tags) }),
  is_remote_configuration: (isRemote) => ({ isRemoteConfiguration: isRemote === true }),
  has_encrypted_payloads: (isSecret) => ({ hasEncryptedPayloads: isSecret === true }),
}

const UPDATES: readonly Entry["activity"][] = ["UPDATED", "UPDATED_BY_PLAN", "UPDATED_ON_APPROVAL"]

/** Whether the flag was changed, and not only said to be. */
export const isUpdate = (activity: Entry["activity"]): boolean => UPDATES.includes(activity)

/**
 * What has to change for a flag to be as it was before an entry of its history: of each field the oldest value since
 * then. Null when that is not known: an entry of an earlier release does not say what was before it.
 * @param entries newest first, from the newest one on
 */
export function listDifferences(entries: readonly Entry[], entry: Entry): Difference[] | null {
  const since = entries.slice(0, entries.indexOf(entry) + 1)
  const undone = since.flatMap(({ activity, changes }) => (isUpdate(activity) ? changes : []))
  if (undone.some(({ before }) => before === null)) return null
  const found = new Map<string, Difference>()
  for (const { field, before, after } of undone)
    found.set(field, { field, before: found.has(field) ? found.get(field)?.before : after, after: before })
  return [...found.values()].filter(
    ({ field, before, after }) => field in WRITERS && JSON.stringify(before) !== JSON.stringify(after),
  )
}

/** The change that makes these differences. */
export const toChange = (differences: readonly Difference[]): Changed =>
  Object.assign({}, ...differences.map(({ field, after }) => WRITERS[field]?.(after)))
