import { Skeleton } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { PlotProps } from "./plot"

const Loaded = lazy(async () => ({ default: (await import("./plot")).Plot }))

/** A plot; what draws it is loaded with the first one. */
export function Plot(props: PlotProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
