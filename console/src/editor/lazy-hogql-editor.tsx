import { Skeleton } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { HogqlEditorProps } from "./hogql-editor"

const Loaded = lazy(async () => ({ default: (await import("./hogql-editor")).HogqlEditor }))

/** The editor of HogQL; it is loaded with the first one. */
export function HogqlEditor(props: HogqlEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={152} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
