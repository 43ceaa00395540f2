import { readFilter, type Stored, type StoredFilter, toStored, writeFilter } from "../../filters/stored-filter"

/** A release condition: who gets the flag, and how many of them. */
export interface Condition {
  readonly filters: readonly StoredFilter[]
  /** 0 to 100. */
  readonly rolloutPercentage: number
  /** The variant that all of them get; null for the one that falls to each. */
  readonly variant: string | null
  readonly stored: Stored
}

/** One of the values of a flag that has several. */
export interface Variant {
  readonly key: string
  readonly name: string
  /** 0 to 100. */
  readonly rolloutPercentage: number
  /** JSON text; empty for none. */
  readonly payload: string
  readonly stored: Stored
}

/** Who gets which value, and all else that is stored of it. */
export interface Definition {
  /** Groups of which type it is decided for; null for persons. */
  readonly groupTypeIndex: number | null
  readonly conditions: readonly Condition[]
  readonly variants: readonly Variant[]
  /** JSON text that comes with a flag that is on without a variant; empty for none. */
  readonly payload: string
  readonly stored: Stored
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const toShare = (value: unknown): number => (typeof value === "number" ? value : 100)
const toPayload = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value)

/** A new release condition, which nobody meets until its share is raised. */
export const NEW_CONDITION: Condition = { filters: [], rolloutPercentage: 0, variant: null, stored: {} }

function readCondition(value: unknown): Condition {
  const { properties, rollout_percentage: share, variant, ...stored } = toStored(value)
  return {
    filters: toList(properties).map(readFilter),
    rolloutPercentage: toShare(share),
    variant: typeof variant === "string" && variant !== "" ? variant : null,
    stored,
  }
}

/** Reads a definition as the graph gives it whole. */
export function readDefinition(raw: unknown): Definition {
  const stored = toStored(raw)
  const payloads = toStored(stored.payloads)
  const variants = toList(toStored(stored.multivariate).variants).map((value) => {
    const { key, name, rollout_percentage: share, ...rest } = toStored(value)
    const payload = toPayload(payloads[String(key)])
    return { key: String(key), name: String(name ?? ""), rolloutPercentage: toShare(share), payload, stored: rest }
  })
  const index = stored.aggregation_group_type_index
  return {
    groupTypeIndex: typeof index === "number" ? index : null,
    conditions: toList(stored.groups).map(readCondition),
    variants,
    payload: toPayload(payloads.true),
    stored,
  }
}

/** Writes a definition as the graph takes it whole. */
export function writeDefinition({ groupTypeIndex, conditions, variants, payload, stored }: Definition): Stored {
  const payloads = [{ key: "true", payload }, ...variants].filter((one) => one.payload.trim() !== "")
  return {
    ...stored,
    aggregation_group_type_index: groupTypeIndex,
    groups: conditions.map(({ filters, rolloutPercentage, variant, stored: rest }) => ({
      ...rest,
      properties: filters.map(writeFilter),
      rollout_percentage: rolloutPercentage,
      variant,
    })),
    multivariate:
      variants.length === 0
        ? null
        : {
            ...toStored(stored.multivariate),
            variants: variants.map(({ key, name, rolloutPercentage, stored: rest }) => ({
              ...rest,
              key,
              name,
              rollout_percentage: rolloutPercentage,
            })),
          },
    payloads: Object.fromEntries(payloads.map((one) => [one.key, one.payload])),
  }
}

/** Whether a text is JSON, as payloads are. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isUnchosenCohort = ({ type, value }: StoredFilter): boolean => type === "cohort" && value === null

/** Thirds are written with a few decimals. */
const SUM_TOLERANCE = 0.01

/** Why a definition cannot be saved as it is, in a sentence that names what is wrong; null when it can. */
export function findFault({ conditions, variants, payload }: Definition): string | null {
  if (payload.trim() !== "" && !isJson(payload)) return "The payload is no JSON."
  const unnamed = conditions.findIndex(({ filters }) => filters.some((one) => one.key === "" || isUnchosenCohort(one)))
  if (unnamed >= 0) return `Condition ${unnamed + 1}: choose what it is about, or remove it.`
  if (variants.length === 0) return null
  if (variants.some(({ key }) => key === "")) return "A variant has no key."
  const wrong = variants.find((one) => one.payload.trim() !== "" && !isJson(one.payload))
  if (wrong !== undefined) return `The payload of ${wrong.key} is no JSON.`
  const twice = variants.find(({ key }, at) => variants.findIndex((other) => other.key === key) !== at)
  if (twice !== undefined) return `Two variants have the key ${twice.key}.`
  const sum = variants.reduce((all, { rolloutPercentage }) => all + rolloutPercentage, 0)
  if (Math.abs(sum - 100) <= SUM_TOLERANCE) return null
  return `The shares of the variants make ${Number(sum.toFixed(2))} % together. They have to make 100 %.`
}
