import type { LinkProps } from "@tanstack/react-router"
import type { IconName } from "../ui/icon"

/** A screen that the navigation and the palette lead to. */
export interface Place {
  readonly title: string
  readonly icon: IconName
  readonly to: NonNullable<LinkProps["to"]>
}

/** The screens of a project in the order in which they are listed, by heading. */
export const PLACES: readonly { readonly heading: string; readonly places: readonly Place[] }[] = [
  {
    heading: "Analysis",
    places: [
      { title: "Dashboards", icon: "board", to: "/project/$project/dashboards" },
      { title: "Insights", icon: "chart", to: "/project/$project/insights" },
      { title: "HogQL", icon: "prompt", to: "/project/$project/hogql" },
    ],
  },
  {
    heading: "Data",
    places: [
      { title: "Start", icon: "rocket", to: "/project/$project/start" },
      { title: "Live", icon: "pulse", to: "/project/$project/live" },
      { title: "Events", icon: "list", to: "/project/$project/events" },
      { title: "Persons", icon: "person", to: "/project/$project/persons" },
      { title: "Groups", icon: "group", to: "/project/$project/groups/{-$type}" },
      { title: "Cohorts", icon: "people", to: "/project/$project/cohorts" },
    ],
  },
  {
    heading: "Product",
    places: [
      { title: "Flags", icon: "flag", to: "/project/$project/flags" },
      { title: "Recordings", icon: "play", to: "/project/$project/recordings" },
      { title: "Playlists", icon: "playlist", to: "/project/$project/playlists" },
    ],
  },
  {
    heading: "Project",
    places: [
      { title: "Data", icon: "database", to: "/project/$project/data" },
      { title: "Settings", icon: "sliders", to: "/project/$project/settings" },
      { title: "GraphQL", icon: "code", to: "/project/$project/graphql" },
    ],
  },
]
