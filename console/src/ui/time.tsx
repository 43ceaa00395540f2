import { useMemo } from "react"
import { useProject } from "../project/project"

/** A time in the reader's language and the project's zone; its title has it exactly. */
export function Time({ of }: { readonly of: string }) {
  const { timezone } = useProject()
  const format = useMemo(
    () => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", timeZone: timezone }),
    [timezone],
  )
  return (
    <time dateTime={of} title={`${of} (${timezone} shown)`}>
      {format.format(new Date(of))}
    </time>
  )
}
