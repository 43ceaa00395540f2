import { Table } from "@mantine/core"

/** A value that somebody sent, as text: whatever it is, it never becomes markup. */
export function PropertyValue({ of }: { readonly of: unknown }) {
  if (of === null || of === undefined) return <span className="value missing">{of === null ? "null" : "not set"}</span>
  return <span className="value">{typeof of === "object" ? JSON.stringify(of) : String(of)}</span>
}

/** The properties of an object by name, in the order of the alphabet. */
export function PropertyTable({ properties }: { readonly properties: unknown }) {
  const isObject = typeof properties === "object" && properties !== null
  const entries = Object.entries(isObject ? properties : {}).sort(([a], [b]) => a.localeCompare(b))
  return (
    <Table className="properties" variant="vertical" withRowBorders={false}>
      <Table.Tbody>
        {entries.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              <PropertyValue of={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
