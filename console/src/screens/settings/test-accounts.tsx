import { Text } from "@mantine/core"
import { useState } from "react"
import { readStoredFilters, toPropertyFilters } from "../../filters/filter"
import { FilterEditor } from "../../filters/filter-editor"
import { Problem } from "../../ui/problem"
import { Section } from "./section"
import { Setting } from "./setting"

/** What holds for all events but those of test accounts, which a query leaves out when it is asked to. */
export function TestAccounts({ stored }: { readonly stored: unknown }) {
  const [filters] = useState(() => readStoredFilters(stored))
  return (
    <Section
      title="Test accounts"
      note="What holds for all events but those of your own people. Queries leave these out by filterTestAccounts."
    >
      {filters === null ? (
        <Text size="sm">There are filters of kinds that this form does not have. They are changed by the API.</Text>
      ) : (
        <Setting
          stored={filters}
          toInput={(changed) => ({ settings: { testAccountFilters: toPropertyFilters(changed) } })}
        >
          {({ value, onChange, error }) => (
            <>
              <FilterEditor filters={value} onChange={(changed) => onChange(changed ?? [])} />
              <Problem of={error} />
            </>
          )}
        </Setting>
      )}
    </Section>
  )
}
