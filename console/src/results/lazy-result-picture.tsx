import { Skeleton } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { ResultPictureProps } from "./result-picture"

const Loaded = lazy(async () => ({ default: (await import("./result-picture")).ResultPicture }))

/** The picture of a result; what draws it is loaded with the first one. */
export function ResultPicture(props: ResultPictureProps) {
  return (
    <Suspense fallback={<Skeleton height={props.isSmall ? 200 : 320} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
