import { ScrollArea, Text, TextInput, UnstyledButton } from "@mantine/core"
import { useState } from "react"
import { type KnownTable, quoteName } from "../../editor/known-names"

interface SchemaListProps {
  readonly tables: readonly KnownTable[]
  /** Writes a name into the text. */
  readonly onChosen: (name: string) => void
}

/** The tables that can be asked with their fields, to be found by a part of a name and written into the text. */
export function SchemaList({ tables, onChosen }: SchemaListProps) {
  const [search, setSearch] = useState("")
  const typed = search.trim().toLowerCase()
  const fits = (name: string): boolean => name.toLowerCase().includes(typed)
  const found = tables.filter(({ name, fields }) => fits(name) || fields.some((field) => fits(field.name)))
  return (
    <section className="schema" aria-label="Schema">
      <TextInput
        aria-label="Search the schema"
        placeholder="Tables and fields"
        value={search}
        onChange={({ currentTarget: { value } }) => setSearch(value)}
      />
      <ScrollArea className="tables" viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Tables" }}>
        {found.map((table) => (
          <details key={`${table.name} ${typed}`} open={typed !== "" && !fits(table.name)}>
            <summary>{table.name}</summary>
            {table.fields
              .filter(({ name }) => fits(table.name) || fits(name))
              .map(({ name, type, table: other }) => (
                <UnstyledButton
                  key={name}
                  className="field"
                  aria-label={`Write ${name}`}
                  onClick={() => onChosen(quoteName(name))}
                >
                  <span>{name}</span>
                  <small>{other ?? type}</small>
                </UnstyledButton>
              ))}
          </details>
        ))}
        {found.length === 0 && tables.length > 0 && (
          <Text size="xs" c="dimmed" p="xs">
            No table and no field has this name.
          </Text>
        )}
      </ScrollArea>
    </section>
  )
}
