import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { GroupFacts, HashKeys, PersonFacts } from "../flags.types.js"
import type { DecideRequest } from "./decide-request.js"
import type { FactReader } from "./fact-budget.js"

/** Where a decision finds what is stored of its caller. */
export interface FactSources {
  readonly persons: PersonFacts
  readonly groups: GroupFacts
  readonly hashKeys: HashKeys
  /** One per kind of store, so that a failing one does not silence the others. */
  readonly reader: FactReader
}

/** A request whose distinct id is known to be there. */
export interface Caller {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly request: DecideRequest
  /** Person properties of the request, with what GeoIP adds. */
  readonly personOverrides: JsonObject
  /** What is stored of the person does not count (`docs/contract/flags.md#decision-parameters`). */
  readonly usesOnlyOverrides?: boolean
}
