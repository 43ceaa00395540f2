import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "graphiql/style.css"
import "./style.css"
import { Explorer } from "./explorer/explorer"

const root = document.getElementById("root")
if (root === null) throw new Error("the page has no element #root")
createRoot(root).render(
  <StrictMode>
    <Explorer />
  </StrictMode>,
)
