import "./data.css"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy } from "react"
import { Page } from "../../ui/page"
import { PartTabs } from "../../ui/part-tabs"
import { DATA_TABS } from "./data-search"
import { EventVolumes } from "./event-volumes"
import { Lag } from "./lag"

const PropertyVolumes = lazy(async () => ({ default: (await import("./property-volumes")).PropertyVolumes }))
const Warnings = lazy(async () => ({ default: (await import("./warnings")).Warnings }))
const DeadLetters = lazy(async () => ({ default: (await import("./dead-letters")).DeadLetters }))
const Stores = lazy(async () => ({ default: (await import("./stores")).Stores }))
const Plugins = lazy(async () => ({ default: (await import("./plugins")).Plugins }))

const FROM = "/project/$project/data"

/** What arrives, what of it was dropped, changed or could not be stored, and what plugins say of it. */
export function Data() {
  const { tab } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  return (
    <Page title="Data">
      <Lag />
      <PartTabs
        names={DATA_TABS}
        parts={{
          events: { title: "Events", content: <EventVolumes /> },
          properties: { title: "Properties", content: <PropertyVolumes /> },
          warnings: { title: "Warnings", content: <Warnings /> },
          letters: { title: "Dead letters", content: <DeadLetters /> },
          plugins: { title: "Plugins", content: <Plugins /> },
          stores: { title: "Stores", content: <Stores /> },
        }}
        shown={tab}
        onShow={(shown) => void navigate({ search: { tab: shown } })}
      />
    </Page>
  )
}
