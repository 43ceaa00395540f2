import { useProject } from "../project/project"

/** By zone: making one takes as long as drawing a line of a table. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", timeZone })
  formats.set(timeZone, made)
  return made
}

/** A time in the reader's language and the project's zone; its title has it exactly. */
export function Time({ of }: { readonly of: string }) {
  const { timezone } = useProject()
  return (
    <time dateTime={of} title={`${of} (${timezone} shown)`}>
      {formatOf(timezone).format(new Date(of))}
    </time>
  )
}
