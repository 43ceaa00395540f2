import { ActionIcon, Table } from "@mantine/core"
import { memo, type ReactNode, useState } from "react"
import { Icon } from "./icon"

/** A column of a table. */
export interface Column<Row> {
  /** Its heading, which no other column has. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Whether its cells are numbers, which stand at the right. */
  readonly isNumber?: boolean
}

/** What a table shows. */
export interface DataTableProps<Row> {
  /** What the rows are, for those who do not see them. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly toKey: (row: Row) => string
  /** What a row shows when it is opened; rows cannot be opened when absent. */
  readonly detail?: (row: Row) => ReactNode
}

/** Rows with headings, in a frame that scrolls sideways where there is little room. */
export function DataTable<Row>({ label, columns, rows, toKey, detail }: DataTableProps<Row>) {
  const [openKey, setOpenKey] = useState<string | null>(null)
  return (
    <Table.ScrollContainer
      minWidth={480}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": label } }}
    >
      <Table className="data-table">
        <Table.Thead>
          <Table.Tr>
            {detail !== undefined && <Table.Td w={32} />}
            {columns.map(({ title, isNumber }) => (
              <Table.Th key={title} ta={isNumber ? "right" : undefined}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const key = toKey(row)
            return (
              <DataRow
                key={key}
                name={key}
                row={row}
                columns={columns}
                detail={detail}
                isOpen={key === openKey}
                onToggle={setOpenKey}
              />
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface DataRowProps<Row> extends Pick<DataTableProps<Row>, "columns" | "detail"> {
  readonly row: Row
  /** Its key among the rows. */
  readonly name: string
  readonly isOpen: boolean
  /** Takes the key of the row that is open then. */
  readonly onToggle: (openKey: string | null) => void
}

/** Drawn again only when something of it changes: of hundreds of rows mostly none does. */
const DataRow = memo(function DataRow<Row>({ row, name, columns, detail, isOpen, onToggle }: DataRowProps<Row>) {
  return (
    <>
      <Table.Tr>
        {detail !== undefined && (
          <Table.Td>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={isOpen ? "Close the row" : "Open the row"}
              aria-expanded={isOpen}
              onClick={() => onToggle(isOpen ? null : name)}
            >
              <Icon name="chevron" size={16} />
            </ActionIcon>
          </Table.Td>
        )}
        {columns.map(({ title, cell, isNumber }) => (
          <Table.Td key={title} ta={isNumber ? "right" : undefined}>
            {cell(row)}
          </Table.Td>
        ))}
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns.length + 1} className="row-detail">
            {detail?.(row)}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}) as <Row>(props: DataRowProps<Row>) => ReactNode
