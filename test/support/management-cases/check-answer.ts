import type { Answer } from "../waymark-api.js"
import type { CaseExpectation } from "./case-file.js"
import { misfit, misfitUnordered } from "./misfit.js"

type Item = Readonly<Record<string, unknown>>

/** What is wrong with an answer; empty when it is as a case expects. */
export function faultsOf(answer: Answer, expected: CaseExpectation): string[] {
  const faults: (string | null)[] = [misfit(answer.status, expected.status, "status")]
  for (const [name, wanted] of Object.entries(expected.headers ?? {}))
    faults.push(misfit(answer.headers.get(name), wanted, `header ${name}`))
  if (expected.empty_body === true && answer.body !== null) faults.push("there should be no body")
  if (Array.isArray(expected.body) && expected.ordered === false)
    faults.push(misfitUnordered(answer.body, expected.body))
  else if (expected.body !== undefined) faults.push(misfit(answer.body, expected.body))
  const body = (answer.body ?? {}) as Item
  for (const key of expected.absent_keys ?? []) if (key in body) faults.push(`${key} should not be there`)
  for (const key of expected.has_keys ?? []) if (!(key in body)) faults.push(`${key} should be there`)
  return [...faults.filter((fault) => fault !== null), ...faultsOfResults(body.results, expected)]
}

function faultsOfResults(results: unknown, expected: CaseExpectation): string[] {
  const items = (Array.isArray(results) ? results : []) as Item[]
  const faults: (string | null)[] = []
  for (const [index, item] of items.entries()) {
    if (expected.every_result !== undefined) faults.push(misfit(item, expected.every_result, `results[${index}]`))
    for (const key of expected.every_result_has_keys ?? [])
      if (!(key in item)) faults.push(`results[${index}] should have ${key}`)
  }
  const idsOf = (key: string) => items.map((item) => item[key])
  const first = expected.first_results_short_ids
  if (first !== undefined) faults.push(misfit(idsOf("short_id").slice(0, first.length), first, "short ids"))
  if (expected.result_ids !== undefined) faults.push(misfit(idsOf("id"), expected.result_ids, "ids"))
  for (const id of expected.absent_short_ids ?? []) if (idsOf("short_id").includes(id)) faults.push(`${id} is listed`)
  for (const id of expected.absent_ids ?? []) if (idsOf("id").includes(id)) faults.push(`${id} is listed`)
  const { sorted_desc_by: key } = expected
  if (key !== undefined) {
    const values = idsOf(key).map(String)
    if (String(values.toSorted().reverse()) !== String(values)) faults.push(`not sorted by ${key}: ${values}`)
  }
  return faults.filter((fault) => fault !== null)
}
