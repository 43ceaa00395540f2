import type { Json } from "../../kernel/json.js"
import { compareVersions, parseVersion } from "../../kernel/semantic-version.js"
import { toText } from "./property-value.js"
import { caretRange, tildeRange, type VersionTest, wildcardRange } from "./version-range.js"

const COMPARISONS = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const

const RANGES = { tilde: tildeRange, caret: caretRange, wildcard: wildcardRange } as const

type Relation = keyof typeof COMPARISONS | keyof typeof RANGES

/** Makes a version operator. Either side that is not a version is no match, for `neq` too. */
export const versionOperator = (relation: Relation) => (filterValue: Json) => {
  const test =
    relation in RANGES
      ? RANGES[relation as keyof typeof RANGES](toText(filterValue))
      : comparison(relation, filterValue)
  return (value: Json | undefined): boolean => {
    if (test === null || value === undefined) return false
    const version = parseVersion(toText(value))
    return version !== null && test(version)
  }
}

function comparison(relation: Relation, filterValue: Json): VersionTest | null {
  const bound = parseVersion(toText(filterValue))
  const holds = COMPARISONS[relation as keyof typeof COMPARISONS]
  return bound === null ? null : (version) => holds(compareVersions(version, bound))
}
