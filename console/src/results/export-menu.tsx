import { Button, type ButtonProps, Menu, Text } from "@mantine/core"
import type { QueryExportFormat, QueryInput } from "../graph/generated/graphql"
import { useProject } from "../project/project"
import { useChange } from "../ui/use-change"
import { EXPORT_QUERY } from "./export.queries"

const FORMATS: readonly { readonly value: QueryExportFormat; readonly label: string }[] = [
  { value: "CSV", label: "CSV" },
  { value: "JSONL", label: "JSON lines" },
  { value: "PARQUET", label: "Parquet" },
]

/** Leads the browser to a file, which it keeps while it comes. Only the path: the server may have several names. */
function keepFile(url: string): void {
  const link = document.createElement("a")
  link.href = new URL(url).pathname
  link.download = ""
  link.click()
}

interface ExportMenuProps extends Pick<ButtonProps, "variant" | "color"> {
  /** What is asked; null where there is nothing to export. */
  readonly query: QueryInput | null
}

/** Makes a file of all rows of a query, more than are shown too: the server writes it while the browser keeps it. */
export function ExportMenu({ query, ...button }: ExportMenuProps) {
  const { id: projectId } = useProject()
  const { change, isChanging, problem } = useChange(EXPORT_QUERY, (data) => data.exportQuery)
  const save = async (format: QueryExportFormat): Promise<void> => {
    if (query === null) return
    const url = (await change({ input: { projectId, query, format } }))?.exportQuery?.export?.url
    if (url !== undefined) keepFile(url)
  }
  return (
    <>
      {problem !== null && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button {...button} disabled={query === null} loading={isChanging}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map(({ value, label }) => (
            <Menu.Item key={value} onClick={() => void save(value)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
