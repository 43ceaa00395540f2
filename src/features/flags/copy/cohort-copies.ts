import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import { findReferences, type ReferenceMap, withReferences } from "./references.js"

/** A cohort as far as copying is concerned. */
export interface CopiedCohort {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly isStatic: boolean
  readonly filters: Json
}

/** Makes a cohort in the other project. */
export type CreateCohort = (cohort: Omit<CopiedCohort, "id">) => Promise<CopiedCohort>

/**
 * Finds or makes, for each cohort named, the one of the same name in another project, nested ones first. Persons belong to
 * one project, so that a static cohort that has to be made begins empty.
 * @throws AppError invalid_input for a cohort that the first project does not have.
 */
export async function matchCohorts(
  ids: ReadonlySet<number>,
  from: readonly CopiedCohort[],
  to: readonly CopiedCohort[],
  create: CreateCohort,
): Promise<Map<number, number>> {
  const matched = new Map<number, number>()
  const underWay = new Set<number>()

  const match = async (id: number): Promise<void> => {
    if (matched.has(id)) return
    const cohort = from.find((one) => one.id === id)
    if (cohort === undefined || underWay.has(id))
      throw new AppError("invalid_input", { attr: "filters", detail: `The flag asks for cohort ${id}, which is gone.` })
    const same = to.find((one) => one.name === cohort.name && one.isStatic === cohort.isStatic)
    if (same !== undefined) {
      matched.set(id, same.id)
      return
    }
    underWay.add(id)
    for (const nested of findReferences(cohort.filters).cohortIds) await match(nested)
    underWay.delete(id)
    const { name, description, isStatic } = cohort
    const filters = withReferences(cohort.filters, { ...NO_REFERENCES, cohortIds: matched })
    matched.set(id, (await create({ name, description, isStatic, filters })).id)
  }

  for (const id of ids) await match(id)
  return matched
}

const NO_REFERENCES: ReferenceMap = { cohortIds: new Map(), flags: new Map(), groupTypeIndexes: new Map() }
