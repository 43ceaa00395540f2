import { MantineProvider } from "@mantine/core"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useEffect, useMemo } from "react"
import { createRoot } from "react-dom/client"
import "./ui/mantine"
import "./ui/style.css"
import { createGraph, GraphProvider } from "./graph/graph"
import { router } from "./router"
import { forgetSession, useUser } from "./session/session"
import { resolveColors, THEME } from "./ui/theme"

function Console() {
  const userId = useUser()?.id ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: what one user has read is not for the next.
  const graph = useMemo(() => createGraph(forgetSession), [userId])
  // Whoever signs out, or is no longer known, is led to the sign-in by the routes themselves.
  useEffect(() => {
    if (userId === null) void router.invalidate()
  }, [userId])
  return (
    <MantineProvider theme={THEME} cssVariablesResolver={resolveColors} defaultColorScheme="auto">
      <GraphProvider graph={graph}>
        <RouterProvider router={router} />
      </GraphProvider>
    </MantineProvider>
  )
}

const root = document.getElementById("root")
if (root === null) throw new Error("the page has no element #root")
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
)
