import { Button, Group, Paper, Stack } from "@mantine/core"
import { useState } from "react"
import { DateRange } from "../../filters/date-range"
import { type Filter, readStoredFilters, toPropertyFilters } from "../../filters/filter"
import { FilterEditor } from "../../filters/filter-editor"
import type { DashboardFiltersInput, DashboardPartsFragment } from "../../graph/generated/graphql"

interface DashboardFiltersProps {
  readonly filters: DashboardPartsFragment["filters"]
  readonly onChange: (filters: DashboardFiltersInput) => void
}

/** The properties among stored filters; null when this editor does not know one of them. */
function readProperties(raw: unknown): Filter[] | null {
  const has = typeof raw === "object" && raw !== null && "properties" in raw
  return readStoredFilters(has ? raw.properties : undefined)
}

/** One range of dates and one set of conditions over all tiles; both are kept with the dashboard. */
export function DashboardFilters({ filters: { dateFrom, dateTo, raw }, onChange }: DashboardFiltersProps) {
  const stored = readProperties(raw)
  const [draft, setDraft] = useState<readonly Filter[] | null>(null)
  const apply = (): void => {
    onChange({ raw, dateFrom, dateTo, properties: toPropertyFilters(draft ?? []) })
    setDraft(null)
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <DateRange
          dates={{ from: dateFrom ?? undefined, to: dateTo ?? undefined }}
          noneLabel="Dates of each tile"
          onChange={({ from, to }) => onChange({ raw, dateFrom: from ?? null, dateTo: to ?? null })}
        />
        {stored !== null && (
          <Button
            variant="default"
            aria-expanded={draft !== null}
            onClick={() => setDraft(draft === null ? stored : null)}
          >
            {stored.length === 0 ? "Filter" : `Filters (${stored.length})`}
          </Button>
        )}
      </Group>
      {draft !== null && (
        <Paper withBorder p="sm" maw={380}>
          <FilterEditor filters={draft} addLabel="Filter all tiles" onChange={(changed) => setDraft(changed ?? [])} />
          <Button mt="sm" onClick={apply}>
            Apply
          </Button>
        </Paper>
      )}
    </Stack>
  )
}
