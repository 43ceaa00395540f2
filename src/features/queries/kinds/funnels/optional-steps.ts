import type { Json } from "../../../../kernel/json.js"
import type { Funnel } from "./read-funnel.js"

/** Whether a step may be left out. */
const isOptional = (funnel: Funnel, step: number): boolean => funnel.optional.includes(step)

/** The numbers of the steps that nobody can leave out. */
export const listRequired = (funnel: Funnel): number[] =>
  [...funnel.steps.keys()].filter((step) => !isOptional(funnel, step))

/** The funnel of some of its steps, in their order. */
export function pickSteps(funnel: Funnel, picked: readonly number[]): Funnel {
  const definitions = picked.map((step) => funnel.sameAs[step] ?? step)
  return {
    ...funnel,
    steps: picked.flatMap((step) => funnel.steps[step] ?? []),
    sameAs: definitions.map((definition) => definitions.indexOf(definition)),
    optional: [],
  }
}

/**
 * The funnel that leads to a step: the required steps before it, and the step itself. An optional step counts only
 * before the required step that comes next, which is excluded on the way (`docs/contract/queries.md#funnelsquery`).
 */
export function leadTo(funnel: Funnel, step: number): Funnel {
  const before = listRequired(funnel).filter((required) => required < step)
  const way = pickSteps(funnel, [...before, step])
  const next = listRequired(funnel).find((required) => required > step)
  const condition = next === undefined ? undefined : funnel.steps[next]?.condition
  if (!isOptional(funnel, step) || condition === undefined) return way
  return { ...way, exclusions: [{ condition, fromStep: before.length - 1, toStep: before.length }] }
}

/**
 * One row `(breakdown, counts, averages, medians)` of all steps, made of that of the required ones and of those that
 * lead to each optional one.
 *
 * @param optionalRows by the number of the step
 */
export function mergeOptional(
  funnel: Funnel,
  required: readonly Json[],
  optionalRows: ReadonlyMap<number, readonly Json[]>,
): Json[] {
  const places = listRequired(funnel)
  const columns = [1, 2, 3].map((column) =>
    funnel.steps.map((_, step) => {
      const row = optionalRows.get(step) ?? required
      const place = optionalRows.has(step) ? places.filter((other) => other < step).length : places.indexOf(step)
      const values = row[column]
      return (Array.isArray(values) ? values[place] : null) ?? null
    }),
  )
  return ["", ...columns]
}
