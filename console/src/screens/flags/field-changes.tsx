import { Stack } from "@mantine/core"
import { Diff } from "../../ui/diff"
import { PropertyValue } from "../../ui/property-table"

interface FieldChangesProps {
  readonly of: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

/** What became, or becomes, of each field of a flag; definitions line by line. */
export function FieldChanges({ of: changes }: FieldChangesProps) {
  return (
    <Stack gap="xs" align="stretch">
      {changes.map(({ field, before, after }) =>
        typeof before === "object" && before !== null ? (
          <Diff key={field} label={field} before={before} after={after} />
        ) : (
          <div key={field}>
            {field}: <PropertyValue of={before ?? undefined} /> → <PropertyValue of={after} />
          </div>
        ),
      )}
    </Stack>
  )
}
