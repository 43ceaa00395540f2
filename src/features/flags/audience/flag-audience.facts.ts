import type { EvaluationFacts, PropertySource } from "../../../flag-engine/index.js"
import type { JsonObject } from "../../../kernel/json.js"

/** One of a project's persons or groups, as far as a release condition can ask. */
export interface Subject {
  /** An id of the person, or the key of the group. */
  readonly key: string
  readonly properties: JsonObject
  /** ISO 8601; for persons. */
  readonly createdAt: string | null
  readonly staticCohortIds: readonly number[]
  /** Hash keys of experience continuity by flag; absent where rollouts do not count. */
  readonly hashKeys?: ReadonlyMap<string, string>
}

const NOTHING: PropertySource = { overrides: {}, stored: {}, unavailable: null }
const NOBODY = { deviceId: null, anonymousDistinctId: null, hashKeys: new Map<string, string>() }

/** A stored person as an evaluation sees one who sends nothing but an id. */
export const toPersonFacts = (
  { key, properties, createdAt, staticCohortIds, hashKeys = NOBODY.hashKeys }: Subject,
  nowMs: number,
): EvaluationFacts => ({
  ...NOBODY,
  hashKeys,
  nowMs,
  distinctId: key,
  person: { ...NOTHING, stored: properties },
  personCreatedAt: createdAt,
  groups: new Map(),
  staticCohortIds: new Set(staticCohortIds),
})

/** A stored group as an evaluation sees it, whoever asks for it. */
export const toGroupFacts = ({ key, properties }: Subject, groupTypeIndex: number, nowMs: number): EvaluationFacts => ({
  ...NOBODY,
  nowMs,
  distinctId: "",
  person: NOTHING,
  personCreatedAt: null,
  groups: new Map([[groupTypeIndex, { ...NOTHING, stored: properties, overrides: { $group_key: key }, key }]]),
  staticCohortIds: new Set(),
})
