import type { Json, JsonObject } from "../../../../kernel/json.js"
import { compareLines, NULL_BREAKDOWN, toBreakdownLabel, toCohortId } from "../../insights/breakdown.js"
import type { Bucket } from "../../insights/buckets.js"
import type { Funnel } from "./read-funnel.js"

type Row = readonly Json[]

/** A number per step: how many came to it, and seconds since the step before. */
interface StepNumbers {
  readonly counts: readonly Json[]
  readonly averages: readonly (number | null)[]
  readonly medians: readonly (number | null)[]
}

const NOBODY: StepNumbers = { counts: [], averages: [], medians: [] }

/**
 * Steps of a funnel, or a list of them per breakdown value, the one with the most first
 * (`docs/contract/queries.md#funnelsquery`).
 */
export function toSteps(rows: readonly Row[], funnel: Funnel): Json {
  const lists = rows.map(([breakdown = "", counts, averages, medians]) => ({
    breakdown,
    numbers: { counts: toList(counts), averages: toSeconds(averages), medians: toSeconds(medians) },
  }))
  const entered = ({ numbers }: { numbers: StepNumbers }): number => Number(numbers.counts[0] ?? 0)
  const sorted = lists.sort((a, b) => entered(b) - entered(a))
  const shown = sorted.map(({ breakdown, numbers }) => toStepRows(breakdown, numbers, funnel))
  if (funnel.breakdown !== null) return shown
  return shown[0] ?? toStepRows("", NOBODY, funnel)
}

const toList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const toSeconds = (micros: Json | undefined): (number | null)[] =>
  toList(micros).map((value) => (value === null ? null : Number(value) / 1e6))

/**
 * A value of the breakdown as funnels show it (`docs/contract/queries.md#funnelsquery`): a list, also of one property, in
 * which "" is no value; the property of a group as it is; the id of a cohort, 0 for all persons.
 */
function showValue(value: Json, { breakdown }: Funnel): Json {
  if (breakdown?.list != null) return value === "all" ? 0 : toCohortId(value)
  const items = [value].flat().map((item) => (item === NULL_BREAKDOWN ? "" : item))
  return breakdown?.isOfGroup ? (items[0] ?? "") : items
}

function toStepRows(value: Json, { counts, averages, medians }: StepNumbers, funnel: Funnel): JsonObject[] {
  const breakdown = showValue(value, funnel)
  return funnel.steps.map(({ event, actionId, name, customName }, step) => {
    const isAnyOrder = funnel.order === "unordered"
    return {
      action_id: isAnyOrder ? null : (actionId ?? event),
      name: isAnyOrder ? `Completed ${step + 1} step${step === 0 ? "" : "s"}` : name,
      custom_name: isAnyOrder ? null : customName,
      order: step,
      type: isAnyOrder ? null : actionId === null ? "events" : "actions",
      count: counts[step] ?? 0,
      people: [],
      average_conversion_time: step === 0 ? null : (averages[step] ?? null),
      median_conversion_time: step === 0 ? null : (medians[step] ?? null),
      ...(funnel.breakdown !== null && { breakdown, breakdown_value: breakdown }),
    }
  })
}

export interface ConversionSpread {
  readonly count: number
  readonly average: number | null
  readonly shortest: number
  readonly longest: number
}

/** Bins wide enough for all conversions: as many as asked for, else the cube root of their count, 1 to 60. */
export function chooseBins({ count, shortest, longest }: ConversionSpread, binCount: number | null) {
  const bins = binCount ?? Math.min(60, Math.max(1, Math.ceil(Math.cbrt(count))))
  return { count: bins, seconds: Math.ceil((longest - shortest) / bins) || 60 }
}

/** `time_to_convert`: bins `[from second, conversions]`, the last one for conversions as long as the longest. */
export function toTimeToConvert(
  spread: ConversionSpread,
  bins: { readonly count: number; readonly seconds: number },
  rows: readonly Row[],
): JsonObject {
  const counts = new Map(rows.map(([bin, count]) => [Number(bin), Number(count)]))
  const shown = Array.from({ length: bins.count + 1 }, (_, bin) => [
    spread.shortest + bin * bins.seconds,
    counts.get(bin) ?? 0,
  ])
  return { bins: spread.count === 0 ? [] : shown, average_conversion_time: spread.average }
}

/** `trends`: the share of actors, in percent, whose attempt of that interval came through; one line per breakdown value. */
export function toConversionTrend(rows: Iterable<Row>, buckets: readonly Bucket[], funnel: Funnel): JsonObject[] {
  const places = new Map(buckets.map(({ key }, index) => [String(key), index] as const))
  const lines = new Map<string, { breakdown: Json; entered: number; data: number[] }>()
  const line = (breakdown: Json) => ({ breakdown, entered: 0, data: buckets.map(() => 0) })
  if (funnel.breakdown === null) lines.set('""', line(""))
  for (const [bucket, breakdown = "", entered, converted] of rows) {
    const key = JSON.stringify(breakdown)
    const found = lines.get(key) ?? line(breakdown)
    lines.set(key, found)
    const place = places.get(String(bucket))
    if (place === undefined) continue
    found.entered += Number(entered)
    found.data[place] = Number(entered) === 0 ? 0 : Math.round((Number(converted) / Number(entered)) * 10_000) / 100
  }
  const sorted = [...lines.values()].sort(compareLines(({ entered }) => entered))
  return sorted.map(({ breakdown, entered, data }) => ({
    count: entered,
    data,
    days: buckets.map(({ day }) => day),
    labels: buckets.map(({ label }) => label),
    ...(funnel.breakdown !== null && {
      breakdown_value: showValue(breakdown, funnel),
      label: toBreakdownLabel(breakdown),
    }),
  }))
}
