import type { GraphRules } from "../../transport/graphql/shape/graph-rules.js"
import { listClosedSets } from "./closed-sets.js"
import { listCountsAndChanges } from "./counts-and-changes.js"

/** Values of the operations that have types of their own in the graph (decision 0071). */
export const TYPED_PLACES: GraphRules["typedPlaces"] = (find) => ({
  ...listClosedSets(find),
  ...listCountsAndChanges(find),
})
