import { GraphQLInputObjectType, GraphQLNonNull, type GraphQLObjectType, GraphQLString } from "graphql"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { makeList, makeObject } from "./make-types.js"
import { createFilterPresenter } from "./property-filters.js"
import { readSavedFilters, toObject, toText } from "./saved-filters.js"

const DATES = {
  dateFrom: {
    type: GraphQLString,
    description: "A date, a time, or a distance such as `-7d`; null leaves each its own.",
  },
  dateTo: { type: GraphQLString, description: "Likewise; a date counts to its end." },
} as const

/** Dates and properties over the tiles of dashboards. */
export function listDashboardPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  const show = createFilterPresenter(find)
  const filters = makeObject("DashboardFilters", "Dates and properties over all tiles of a dashboard.", () => ({
    ...DATES,
    condition: { type: filter, description: "What must hold for events; null for nothing." },
    raw: {
      type: new GraphQLNonNull(find.output("JSON")),
      description: "All of it, which `raw` of an input takes back.",
    },
  }))
  const input = new GraphQLInputObjectType({
    name: "DashboardFiltersInput",
    description: "Dates and properties over all tiles of a dashboard.",
    fields: () => ({
      ...DATES,
      properties: { type: makeList(find.input("PropertyFilterInput")), description: "What must hold for events." },
      raw: { type: find.input("JSON"), description: "The filters as they were shown; the others win over it." },
    }),
  })
  return {
    "Dashboard.filters": {
      type: filters,
      description: "Dates and properties over all tiles.",
      show: (raw) => {
        const { date_from, date_to, properties } = toObject(raw)
        const condition =
          Array.isArray(properties) && properties.length > 0 ? { type: "AND", values: properties } : null
        return { dateFrom: toText(date_from), dateTo: toText(date_to), condition: show(condition), raw }
      },
    },
    "DashboardInput.filters": {
      type: input,
      description: "Dates and properties over all tiles.",
      read: readSavedFilters,
    },
  }
}
