import { Button, Group, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import type { UseQueryResponse } from "urql"
import { Answer } from "./answer"
import { DataTable, type DataTableProps } from "./data-table"

/** A page of a list, as the graph gives it. */
interface ListPage<Row> {
  readonly nodes: readonly Row[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

interface PagedTableProps<Row, Data> extends Pick<DataTableProps<Row>, "label" | "columns" | "detail"> {
  /** What `useQuery` gave back. */
  readonly of: UseQueryResponse<Data>
  /** Finds the page in what was answered. */
  readonly toPage: (data: Data) => ListPage<Row> | null | undefined
  /** In the place of the rows when there are none. */
  readonly empty: ReactNode
  /** Cursor after which the page begins; absent on the first one. */
  readonly after: string | undefined
  /** Leads to the page after a cursor, or to the first one. */
  readonly onPage: (after: string | undefined) => void
}

/** A list of the graph, page by page. */
export function PagedTable<Row extends { readonly id: string }, Data>({
  of: answer,
  toPage,
  empty,
  after,
  onPage,
  ...table
}: PagedTableProps<Row, Data>) {
  return (
    <Answer of={answer}>
      {(data) => {
        const page = toPage(data)
        const endCursor = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
        return (
          <Stack gap="sm" align="stretch">
            {page?.nodes.length ? <DataTable {...table} rows={page.nodes} toKey={({ id }) => id} /> : empty}
            <Group gap="xs">
              {after !== undefined && (
                <Button variant="default" onClick={() => onPage(undefined)}>
                  First page
                </Button>
              )}
              {endCursor !== null && (
                <Button variant="default" onClick={() => onPage(endCursor)}>
                  Next page
                </Button>
              )}
            </Group>
          </Stack>
        )
      }}
    </Answer>
  )
}
