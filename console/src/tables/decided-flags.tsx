import { Link } from "@tanstack/react-router"
import { type Column, DataTable } from "../ui/data-table"
import { EmptyState } from "../ui/empty-state"
import { PropertyValue } from "../ui/property-table"

/** What a flag is for somebody, and why. */
interface DecidedFlag {
  readonly key: string
  readonly enabled: boolean
  readonly failed: boolean
  readonly variant: string | null
  readonly payload?: unknown
  readonly reason: { readonly description: string }
}

const toValue = ({ enabled, failed, variant }: DecidedFlag): string =>
  failed ? "not computed" : (variant ?? (enabled ? "on" : "off"))

const COLUMNS: readonly Column<DecidedFlag>[] = [
  {
    title: "Flag",
    cell: ({ key }) => (
      <Link from="/project/$project" to="/project/$project/flags/$key" params={{ key }}>
        {key}
      </Link>
    ),
  },
  { title: "Is", cell: toValue },
  { title: "Why", cell: ({ reason }) => reason.description },
  { title: "Payload", cell: ({ payload }) => (payload === null ? "" : <PropertyValue of={payload} />) },
]

interface DecidedFlagsProps {
  readonly flags: readonly DecidedFlag[]
  /** In the place of the table where there is no flag. */
  readonly emptyHint: string
}

/** What flags are for somebody, and why. */
export const DecidedFlags = ({ flags, emptyHint }: DecidedFlagsProps) =>
  flags.length === 0 ? (
    <EmptyState title="No flags" hint={emptyHint} />
  ) : (
    <DataTable label="Flags" columns={COLUMNS} rows={flags} toKey={({ key }) => key} />
  )
