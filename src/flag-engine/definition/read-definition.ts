import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

/** One stored filter of a condition or cohort. */
export interface Filter {
  readonly key: string
  readonly type: string
  /** `exact` when the definition names none. */
  readonly operator: string
  readonly hasOperator: boolean
  readonly value: Json | undefined
  /** Honoured inside cohorts only (`docs/contract/flags.md#definitions`). */
  readonly negation: boolean
  readonly groupTypeIndex: number | null
  /** Whether `key` names a flag by its key rather than by its id; for dependency filters. */
  readonly isFlagKey: boolean
}

/** One release condition. */
export interface Condition {
  readonly filters: readonly Filter[]
  /** 0 to 100; 100 when the definition names none. */
  readonly rolloutPercentage: number
  readonly variant: string | null
  /** Group type the condition is about; null means persons. The condition's own wins over the flag's. */
  readonly groupTypeIndex: number | null
}

/** A variant and its share, 0 to 100. */
export interface Variant {
  readonly key: string
  readonly rolloutPercentage: number
}

/** The share of everybody that is held out of a flag. */
export interface Holdout {
  readonly percentage: number
  /** Variant served to members; null when the flag's own variants decide, and `holdout` where there are none. */
  readonly variant: string | null
}

/** A flag's `filters`, read once and checked in shape. */
export interface FlagDefinition {
  readonly conditions: readonly Condition[]
  readonly variants: readonly Variant[]
  readonly payloads: JsonObject
  readonly groupTypeIndex: number | null
  readonly earlyExit: boolean
  readonly featureEnrollment: boolean
  /** First of the older `super_groups`; null when there is none or the newer form is used. */
  readonly superCondition: Condition | null
  readonly holdout: Holdout | null
}

/** A definition that cannot be read; `path` leads to the field, from `filters` on. */
export class DefinitionFault extends Error {
  readonly path: readonly (string | number)[]

  constructor(path: readonly (string | number)[], message: string) {
    super(message)
    this.name = "DefinitionFault"
    this.path = path
  }
}

type Path = readonly (string | number)[]

/**
 * Reads the stored `filters` of a flag (`docs/contract/flags.md#definitions`), old forms included.
 * @throws DefinitionFault naming the first field that has the wrong shape.
 */
export function readFlagDefinition(filters: Json): FlagDefinition {
  const path: Path = ["filters"]
  const root = readObject(filters, path)
  const groupTypeIndex = readGroupTypeIndex(root.aggregation_group_type_index, [
    ...path,
    "aggregation_group_type_index",
  ])
  const readConditions = (name: string): Condition[] =>
    readList(root[name], [...path, name]).map((one, index) =>
      readCondition(one, [...path, name, index], groupTypeIndex),
    )
  const featureEnrollment = readFlag(root.feature_enrollment, [...path, "feature_enrollment"])
  return {
    conditions: readConditions("groups"),
    variants: readVariants(root.multivariate, [...path, "multivariate"]),
    payloads: root.payloads == null ? {} : readObject(root.payloads, [...path, "payloads"]),
    groupTypeIndex,
    earlyExit: readFlag(root.early_exit, [...path, "early_exit"]),
    featureEnrollment,
    superCondition: featureEnrollment ? null : (readConditions("super_groups")[0] ?? null),
    holdout: readHoldout(root, path, readConditions),
  }
}

/** The same for who only passes over what cannot be read: null for a definition of the wrong shape. */
export function tryReadFlagDefinition(filters: Json): FlagDefinition | null {
  try {
    return readFlagDefinition(filters)
  } catch (error) {
    if (error instanceof DefinitionFault) return null
    throw error
  }
}

/**
 * Reads one filter.
 * @throws DefinitionFault naming the field that has the wrong shape.
 */
export function readFilter(source: Json, path: Path): Filter {
  const filter = readObject(source, path)
  const { key, type, operator } = filter
  if (typeof key !== "string" && typeof key !== "number") throw new DefinitionFault([...path, "key"], "must be text")
  if (type != null && typeof type !== "string") throw new DefinitionFault([...path, "type"], "must be text")
  if (operator != null && typeof operator !== "string") throw new DefinitionFault([...path, "operator"], "must be text")
  return {
    key: String(key),
    type: type ?? "person",
    operator: operator ?? "exact",
    hasOperator: operator != null,
    value: filter.value,
    negation: filter.negation === true,
    groupTypeIndex: readGroupTypeIndex(filter.group_type_index, [...path, "group_type_index"]),
    isFlagKey: filter.dependency_chain !== undefined,
  }
}

function readCondition(source: Json, path: Path, flagGroupTypeIndex: number | null): Condition {
  const condition = readObject(source, path)
  const { properties, variant, aggregation_group_type_index: own } = condition
  if (variant != null && typeof variant !== "string") throw new DefinitionFault([...path, "variant"], "must be text")
  // An explicit null is a damaged list, not an empty one: reading it as "everybody" would turn the flag on.
  if (properties === null) throw new DefinitionFault([...path, "properties"], "must be a list")
  return {
    filters: readList(properties, [...path, "properties"]).map((one, index) =>
      readFilter(one, [...path, "properties", index]),
    ),
    rolloutPercentage: readPercentage(condition.rollout_percentage, [...path, "rollout_percentage"]),
    variant: variant ?? null,
    groupTypeIndex:
      own === undefined ? flagGroupTypeIndex : readGroupTypeIndex(own, [...path, "aggregation_group_type_index"]),
  }
}

function readVariants(source: Json | undefined, path: Path): Variant[] {
  if (source == null) return []
  const variants = readObject(source, path).variants
  return readList(variants, [...path, "variants"]).map((one, index) => {
    const here = [...path, "variants", index]
    const { key, rollout_percentage } = readObject(one, here)
    if (typeof key !== "string") throw new DefinitionFault([...here, "key"], "must be text")
    return { key, rolloutPercentage: readPercentage(rollout_percentage, [...here, "rollout_percentage"]) }
  })
}

function readHoldout(root: JsonObject, path: Path, readConditions: (name: string) => Condition[]): Holdout | null {
  if (root.holdout != null) {
    const { id, exclusion_percentage } = readObject(root.holdout, [...path, "holdout"])
    if (typeof id !== "number") throw new DefinitionFault([...path, "holdout", "id"], "must be a number")
    const percentagePath = [...path, "holdout", "exclusion_percentage"]
    // No share is no holdout of everybody: the flag would be taken from all.
    if (exclusion_percentage == null) throw new DefinitionFault(percentagePath, "must be a number from 0 to 100")
    const percentage = readPercentage(exclusion_percentage, percentagePath)
    return { percentage, variant: `holdout-${id}` }
  }
  const first = readConditions("holdout_groups")[0]
  if (first === undefined || first.filters.length > 0) return null
  return { percentage: first.rolloutPercentage, variant: first.variant }
}

function readObject(source: Json | undefined, path: Path): JsonObject {
  if (!isJsonObject(source)) throw new DefinitionFault(path, "must be an object")
  return source
}

function readList(source: Json | undefined, path: Path): Json[] {
  if (source == null) return []
  if (!Array.isArray(source)) throw new DefinitionFault(path, "must be a list")
  return source
}

function readPercentage(source: Json | undefined, path: Path): number {
  if (source == null) return 100
  if (typeof source !== "number") throw new DefinitionFault(path, "must be a number from 0 to 100")
  return source
}

function readGroupTypeIndex(source: Json | undefined, path: Path): number | null {
  if (source == null) return null
  if (typeof source !== "number" || !Number.isInteger(source))
    throw new DefinitionFault(path, "must be the index of a group type")
  return source
}

function readFlag(source: Json | undefined, path: Path): boolean {
  if (source == null) return false
  if (typeof source !== "boolean") throw new DefinitionFault(path, "must be true or false")
  return source
}
