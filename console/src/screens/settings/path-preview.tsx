import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "urql"
import type { PathCleaningInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { type Column, DataTable } from "../../ui/data-table"
import { describeFailure } from "../../ui/failure"
import { Problem } from "../../ui/problem"
import { CLEANED_PATHS } from "./event-settings.queries"

type Row = readonly [path: string, cleaned: string]

const TYPING_MS = 400
const COLUMNS: readonly Column<Row>[] = [
  { title: "Path", cell: ([path]) => path },
  { title: "Written as", cell: ([, cleaned]) => cleaned },
]

/** What the rules make of the newest paths, as they are being written; paths that they change come first. */
export function PathPreview({ rules }: { readonly rules: readonly PathCleaningInput[] }) {
  const { id: projectId } = useProject()
  const [settled] = useDebouncedValue(rules, TYPING_MS)
  const whole = settled.filter(({ regex }) => regex !== "")
  const [{ data, error }] = useQuery({
    query: CLEANED_PATHS,
    variables: { projectId, hogql: toHogql(whole.length), values: toValues(whole) },
    pause: whole.length === 0,
  })
  if (whole.length === 0) return null
  if (error !== undefined) return <Problem of={describeFailure(error).title} />
  const rows = data?.query?.__typename === "HogQLResult" ? data.query.rows : []
  if (rows.length === 0) return null
  return (
    <DataTable
      label="What the rules make of the newest paths"
      columns={COLUMNS}
      rows={rows.map((row): Row => [String(row?.[0]), String(row?.[1])])}
      toKey={([path]) => path}
    />
  )
}

/** The text in which the rules are values, as `cleanPath` writes stored ones. */
function toHogql(ruleCount: number): string {
  let cleaned = "path"
  for (let at = 0; at < ruleCount; at++) cleaned = `replaceRegexpAll(${cleaned}, {regex${at}}, {alias${at}})`
  return `SELECT path, ${cleaned} AS cleaned FROM (
    SELECT coalesce(nullIf(toString(properties.$pathname), ''), path(toString(properties.$current_url))) AS path, timestamp
    FROM events WHERE event = '$pageview' ORDER BY timestamp DESC LIMIT 1000)
  WHERE path != '' GROUP BY path ORDER BY cleaned != path DESC, max(timestamp) DESC LIMIT 10`
}

const toValues = (rules: readonly PathCleaningInput[]): Record<string, string> =>
  Object.fromEntries(
    rules.flatMap(({ regex, alias }, at) => [
      [`regex${at}`, regex],
      [`alias${at}`, alias],
    ]),
  )
