import { TagsInput } from "@mantine/core"
import type { Column } from "./data-table"
import { PropertyValue } from "./property-table"

interface WithProperties {
  readonly properties?: unknown
}

const readProperty = ({ properties }: WithProperties, name: string): unknown =>
  typeof properties === "object" && properties !== null ? Reflect.get(properties, name) : undefined

/** A column for each of these properties. */
export const toPropertyColumns = (names: readonly string[] = []): Column<WithProperties>[] =>
  names.map((title) => ({ title, cell: (row) => <PropertyValue of={readProperty(row, title)} /> }))

/** The names of the properties that some of the rows have, in the order of the alphabet. */
export const listPropertyNames = (rows: readonly WithProperties[]): string[] =>
  [...new Set(rows.flatMap(({ properties }) => Object.keys(properties ?? {})))].sort()

interface ColumnPickerProps {
  readonly columns?: readonly string[]
  /** Names of properties that are offered. */
  readonly names: readonly string[]
  readonly onChange: (columns: readonly string[]) => void
}

/** Chooses the properties that have a column. */
export function ColumnPicker({ columns = [], names, onChange }: ColumnPickerProps) {
  return (
    <TagsInput
      label="Columns"
      placeholder={columns.length === 0 ? "Properties to show" : undefined}
      data={[...names]}
      limit={20}
      value={[...columns]}
      onChange={onChange}
      w={320}
      maw="100%"
    />
  )
}
