import type { GraphRules } from "../../transport/graphql/shape/graph-rules.js"
import { listStepPlaces } from "./action-steps.js"
import { listClosedSets } from "./closed-sets.js"
import { listCountsAndChanges } from "./counts-and-changes.js"
import { listDashboardPlaces } from "./dashboard-filters.js"
import { listFlagPlaces } from "./flag-filters.js"
import { listSettingPlaces } from "./project-settings.js"
import { listFilterPlaces, makePropertyFilter } from "./property-filters.js"
import { listSavedFilterPlaces } from "./saved-filters.js"

/** Values of the operations that have types of their own in the graph (decision 0071). */
export const TYPED_PLACES: GraphRules["typedPlaces"] = (find) => {
  const filter = makePropertyFilter(find)
  return {
    ...listClosedSets(find),
    ...listCountsAndChanges(find),
    ...listFilterPlaces(find),
    ...listStepPlaces(find, filter),
    ...listSavedFilterPlaces(find, filter),
    ...listDashboardPlaces(find, filter),
    ...listFlagPlaces(find, filter),
    ...listSettingPlaces(find, filter),
  }
}
