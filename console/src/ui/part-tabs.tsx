import { Tabs } from "@mantine/core"
import { type ReactNode, Suspense } from "react"
import { Lines } from "./answer"

/** A part of a page. */
interface Part {
  readonly title: string
  /** May be loaded when it is shown. */
  readonly content: ReactNode
}

interface PartTabsProps<Name extends string> {
  /** In the order of the tabs. */
  readonly names: readonly Name[]
  readonly parts: Readonly<Record<Name, Part>>
  /** The part that is shown; the first one when absent. */
  readonly shown: Name | undefined
  readonly onShow: (name: Name | undefined) => void
}

/** The parts of a page, of which one is shown and asked for; which one, the address has. */
export function PartTabs<Name extends string>({ names, parts, shown = names[0], onShow }: PartTabsProps<Name>) {
  return (
    <Tabs
      value={shown ?? null}
      keepMounted={false}
      onChange={(chosen) => onShow(names.find((name) => name === chosen))}
    >
      <Tabs.List>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {parts[name].title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          <Suspense fallback={<Lines />}>{parts[name].content}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
