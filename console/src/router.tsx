import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { readEventsSearch } from "./screens/events/events-search"
import { readKey } from "./session/session"
import { SignIn } from "./session/sign-in"
import { Shell } from "./shell/shell"
import { Lines } from "./ui/answer"
import { EmptyState } from "./ui/empty-state"
import { Failure } from "./ui/failure"

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
  validateSearch: ({ next }): { next?: string } => (typeof next === "string" ? { next } : {}),
  component: SignIn,
})

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/project/$project",
  beforeLoad: ({ location }) => {
    if (readKey() === "") throw redirect({ to: "/sign-in", search: { next: location.href } })
  },
  component: Shell,
})

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/project/$project/events", params })
  },
})

const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events",
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import("./screens/events/events"), "Events"),
})

const graphqlRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "graphql",
  component: lazyRouteComponent(() => import("./screens/graphql/explorer"), "Explorer"),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  projectRoute.addChildren([projectHomeRoute, eventsRoute, graphqlRoute]),
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
