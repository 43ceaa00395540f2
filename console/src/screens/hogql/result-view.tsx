import { Drawer, Group, Skeleton, UnstyledButton } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { HogQlInput } from "../../graph/generated/graphql"
import { LongTable } from "../../pictures/long-table"
import { ExportMenu } from "../../results/export-menu"
import { EmptyState } from "../../ui/empty-state"
import { PropertyTable } from "../../ui/property-table"
import type { HogqlSearch } from "./hogql-search"
import type { HogqlResult } from "./run"
import { isNumber } from "./to-plot"
import { ViewChoice } from "./view-choice"

const ResultPlot = lazy(async () => ({ default: (await import("./result-plot")).ResultPlot }))

const FROM = "/project/$project/hogql"

/** A row by the names of its columns; of equal names the last counts. */
const toRecord = ({ columns }: HogqlResult, row: readonly unknown[] | null | undefined): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name }, at) => [name, row?.[at] ?? null]))

interface ResultViewProps {
  readonly result: HogqlResult
  /** What ran last. */
  readonly asked: HogQlInput | null
}

/** The rows of a result as a table or a chart, and all of them as a file. */
export function ResultView({ result, asked }: ResultViewProps) {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [openRow, setOpenRow] = useState<number | null>(null)
  const { columns, rows } = result
  if (rows.length === 0) return <EmptyState title="No rows" hint="The query ran, and nothing fits its conditions." />
  const change = (changed: HogqlSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  return (
    <section aria-label="Result">
      <Group gap="sm" mb="xs" justify="space-between">
        <ViewChoice view={search.view} onChange={(view) => change({ view })} />
        <ExportMenu variant="default" query={asked && { hogql: asked }} />
      </Group>
      {search.view === undefined ? (
        <LongTable
          label="Rows"
          columns={columns.map((column) => ({
            title: column.name,
            note: column.type ?? undefined,
            isNumber: isNumber(column),
          }))}
          rows={rows.map((row) => row ?? [])}
          toHead={(row) => (
            <UnstyledButton className="row-number" aria-label={`Open row ${row + 1}`} onClick={() => setOpenRow(row)}>
              {row + 1}
            </UnstyledButton>
          )}
        />
      ) : (
        <Suspense fallback={<Skeleton height={360} />}>
          <ResultPlot result={result} search={search} view={search.view} onChange={change} />
        </Suspense>
      )}
      <Drawer
        opened={openRow !== null}
        onClose={() => setOpenRow(null)}
        title={`Row ${(openRow ?? 0) + 1}`}
        position="right"
      >
        <PropertyTable properties={toRecord(result, rows[openRow ?? 0])} />
      </Drawer>
    </section>
  )
}
