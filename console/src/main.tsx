import { MantineProvider } from "@mantine/core"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useEffect, useMemo } from "react"
import { createRoot } from "react-dom/client"
import "./ui/mantine"
import "./ui/style.css"
import { createGraph, GraphProvider } from "./graph/graph"
import { router } from "./router"
import { signOut, toCredentials, useKey } from "./session/session"
import { resolveColors, THEME } from "./ui/theme"

function Console() {
  const key = useKey()
  const graph = useMemo(() => createGraph(toCredentials(key), signOut), [key])
  // Whoever signs out, or is no longer known, is led to the sign-in by the routes themselves.
  useEffect(() => {
    if (key === "") void router.invalidate()
  }, [key])
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
