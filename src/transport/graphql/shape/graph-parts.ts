import type { GraphRules } from "./graph-rules.js"
import type { TypeMapper } from "./map-types.js"
import type { TypedPlaces } from "./typed-values.js"

/** What the parts of the graph are made with. */
export interface GraphParts {
  readonly rules: GraphRules
  readonly mapper: TypeMapper
  readonly places: TypedPlaces
}
