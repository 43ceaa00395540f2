import { isTimeZone } from "../../kernel/time-zone.js"
import { toFlagNames } from "../definition/dependency-order.js"
import { resolveFlagReference } from "../definition/flag-reference.js"
import type { Filter } from "../definition/read-definition.js"
import type { RuleDocument } from "../definition/rule-document.types.js"
import type { CreateHashBatch } from "../hashing/hash-batch.types.js"
import { type CohortTests, compileCohorts } from "./compile-cohorts.js"
import { SharedTests } from "./shared-tests.js"

/** What compiling a project's flags needs to know besides the flag. */
export interface CompileContext {
  readonly timeZone: string
  readonly cohorts: CohortTests
  readonly sharedTests: SharedTests
  /** Position of another flag's result, by the reference a dependency filter holds; undefined when there is none. */
  readonly findFlagPosition: (filter: Filter) => number | undefined
  readonly createHashBatch: CreateHashBatch
}

/** Filters kept from one version of the rules to the next; beyond it those of flags long gone are not kept for ever. */
const MAX_SHARED_TESTS = 10_000

/** @param last context of the rules until now, when time zone and cohorts are the same. */
export function createCompileContext(
  document: RuleDocument,
  createHashBatch: CreateHashBatch,
  last: CompileContext | null,
): CompileContext {
  const timeZone = isTimeZone(document.timeZone) ? document.timeZone : "UTC"
  const names = toFlagNames(document.flags)
  const positions = new Map(document.flags.map((flag, position) => [flag.id, position]))
  return {
    timeZone,
    cohorts: last?.cohorts ?? compileCohorts(document.cohorts, timeZone),
    sharedTests: last !== null && last.sharedTests.size <= MAX_SHARED_TESTS ? last.sharedTests : new SharedTests(),
    findFlagPosition: (filter) => {
      const id = resolveFlagReference(filter.key, filter.isFlagKey, names)
      return id === null ? undefined : positions.get(id)
    },
    createHashBatch,
  }
}
