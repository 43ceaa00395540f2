import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { readDataSearch } from "./screens/data/data-search"
import { readEventsSearch } from "./screens/events/events-search"
import { readFlagSearch } from "./screens/flags/flag-search"
import { readGroupSearch } from "./screens/groups/group-search"
import { readHogqlSearch } from "./screens/hogql/hogql-search"
import { readEditedQuestion, readQuestion } from "./screens/insights/question/question"
import { readLiveSearch } from "./screens/live/live-search"
import { readPersonSearch } from "./screens/persons/person-search"
import { readPersonsSearch } from "./screens/persons/persons-search"
import { readPlaylistsSearch } from "./screens/playlists/playlists-search"
import { readRecordingSearch } from "./screens/recording/recording-search"
import { readRecordingsSearch } from "./screens/recordings/recordings-search"
import { readSettingsSearch } from "./screens/settings/settings-search"
import { Invitation, ResetPassword, Welcome } from "./session/links"
import { findProvider, findSession } from "./session/session"
import { SignIn } from "./session/sign-in"
import { Shell } from "./shell/shell"
import { Lines } from "./ui/answer"
import { EmptyState } from "./ui/empty-state"
import { Failure } from "./ui/failure"
import { readFavouritesSearch, readListSearch } from "./ui/list-search"

const rootRoute = createRootRoute()

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/project/$project", params: { project: "@current" } })
  },
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: ({ next, problem }): { next?: string | undefined; problem?: string | undefined } => ({
    // Of this server alone: a link from elsewhere must not lead on to another site. What is left out here would stay.
    next: typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : undefined,
    problem: typeof problem === "string" ? problem : undefined,
  }),
  beforeLoad: async ({ search }) => {
    if ((await findSession()).user !== null) throw redirect({ href: search.next ?? "/" })
  },
  loader: async () => ({ provider: await findProvider(), setupRequired: (await findSession()).setupRequired }),
  component: SignIn,
})

/** The token of a link; empty where it is missing, which the server says is not good. */
const readToken = ({ token }: Record<string, unknown>): { token: string } => ({ token: String(token ?? "") })

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/welcome",
  validateSearch: readToken,
  component: Welcome,
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation",
  validateSearch: readToken,
  beforeLoad: async () => void (await findSession()),
  component: Invitation,
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  validateSearch: readToken,
  component: ResetPassword,
})

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/project/$project",
  beforeLoad: async ({ location }) => {
    if ((await findSession()).user === null) throw redirect({ to: "/sign-in", search: { next: location.href } })
  },
  component: Shell,
})

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./screens/start/project-home"), "ProjectHome"),
})

const startRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "start",
  component: lazyRouteComponent(() => import("./screens/start/start"), "Start"),
})

const liveRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "live",
  validateSearch: readLiveSearch,
  component: lazyRouteComponent(() => import("./screens/live/live"), "Live"),
})

const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events",
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import("./screens/events/events"), "Events"),
})

const insightsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "insights",
  validateSearch: readFavouritesSearch,
  component: lazyRouteComponent(() => import("./screens/insights/insights"), "Insights"),
})

const newInsightRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "insights/new",
  validateSearch: readQuestion,
  component: lazyRouteComponent(() => import("./screens/insights/new-insight"), "NewInsight"),
})

const insightRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "insights/$insight",
  validateSearch: readEditedQuestion,
  component: lazyRouteComponent(() => import("./screens/insights/saved-insight"), "SavedInsight"),
})

const dashboardsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dashboards",
  validateSearch: readFavouritesSearch,
  component: lazyRouteComponent(() => import("./screens/dashboards/dashboards"), "Dashboards"),
})

const dashboardRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dashboards/$dashboard",
  component: lazyRouteComponent(() => import("./screens/dashboards/dashboard"), "DashboardPage"),
})

const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/shared/$token",
  component: lazyRouteComponent(() => import("./screens/dashboards/shared-dashboard"), "SharedDashboard"),
})

const flagsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "flags",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./screens/flags/flags"), "Flags"),
})

const flagRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "flags/$key",
  validateSearch: readFlagSearch,
  component: lazyRouteComponent(() => import("./screens/flags/flag"), "Flag"),
})

const personsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "persons",
  validateSearch: readPersonsSearch,
  component: lazyRouteComponent(() => import("./screens/persons/persons"), "Persons"),
})

const personRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "persons/$person",
  validateSearch: readPersonSearch,
  component: lazyRouteComponent(() => import("./screens/persons/person"), "PersonPage"),
})

const playlistsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "playlists",
  validateSearch: readPlaylistsSearch,
  component: lazyRouteComponent(() => import("./screens/playlists/playlists"), "Playlists"),
})

const playlistRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "playlists/$playlist",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./screens/playlists/playlist"), "PlaylistPage"),
})

const groupsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "groups/{-$type}",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./screens/groups/groups"), "Groups"),
})

const groupRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "groups/$type/$key",
  validateSearch: readGroupSearch,
  component: lazyRouteComponent(() => import("./screens/groups/group"), "GroupPage"),
})

const recordingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "recordings",
  validateSearch: readRecordingsSearch,
  component: lazyRouteComponent(() => import("./screens/recordings/recordings"), "Recordings"),
})

const recordingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "recordings/$session",
  validateSearch: readRecordingSearch,
  component: lazyRouteComponent(() => import("./screens/recording/recording"), "Recording"),
})

const cohortsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "cohorts",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./screens/cohorts/cohorts"), "Cohorts"),
})

const newCohortRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "cohorts/new",
  component: lazyRouteComponent(() => import("./screens/cohorts/new-cohort"), "NewCohort"),
})

const cohortEditRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "cohorts/$cohort/edit",
  component: lazyRouteComponent(() => import("./screens/cohorts/edit-cohort"), "EditCohort"),
})

const cohortRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "cohorts/$cohort",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./screens/cohorts/cohort"), "CohortPage"),
})

const dataRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "data",
  validateSearch: readDataSearch,
  component: lazyRouteComponent(() => import("./screens/data/data"), "Data"),
})

const hogqlRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "hogql",
  validateSearch: readHogqlSearch,
  component: lazyRouteComponent(() => import("./screens/hogql/hogql"), "Hogql"),
})

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings",
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import("./screens/settings/settings"), "Settings"),
})

const graphqlRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "graphql",
  component: lazyRouteComponent(() => import("./screens/graphql/explorer"), "Explorer"),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  welcomeRoute,
  invitationRoute,
  resetPasswordRoute,
  sharedRoute,
  projectRoute.addChildren([
    projectHomeRoute,
    startRoute,
    liveRoute,
    eventsRoute,
    flagsRoute,
    flagRoute,
    recordingsRoute,
    recordingRoute,
    playlistsRoute,
    playlistRoute,
    insightsRoute,
    newInsightRoute,
    insightRoute,
    dashboardsRoute,
    dashboardRoute,
    personsRoute,
    personRoute,
    groupsRoute,
    groupRoute,
    cohortsRoute,
    newCohortRoute,
    cohortEditRoute,
    cohortRoute,
    dataRoute,
    hogqlRoute,
    settingsRoute,
    graphqlRoute,
  ]),
])

/** Every page by its path. A screen is loaded when it is wanted for the first time, or when a link to it is pointed at. */
export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  // Of `@current`, which people write and read.
  pathParamsAllowedCharacters: ["@"],
  defaultPendingComponent: Lines,
  defaultErrorComponent: ({ error, reset }) => <Failure of={error} onRetry={reset} />,
  defaultNotFoundComponent: () => (
    <EmptyState title="There is no such page" hint="Look at the address, or go on by the navigation." />
  ),
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
