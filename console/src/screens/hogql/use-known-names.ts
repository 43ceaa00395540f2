import { useMemo } from "react"
import { useQuery } from "urql"
import * as z from "zod/mini"
import type { KnownNames, KnownTable } from "../../editor/known-names"
import { useEventNames, usePropertyNames } from "../../filters/use-names"
import { useProject } from "../../project/project"
import { ASK_RAW } from "./hogql.queries"

const FIELD = z.object({ type: z.string(), table: z.optional(z.string()) })
const SCHEMA = z.object({
  tables: z.record(z.string(), z.object({ fields: z.record(z.string(), FIELD) })),
  functions: z.array(z.string()),
})
const SCHEMA_QUERY = { kind: "DatabaseSchemaQuery" }

const toTables = ({ tables }: z.infer<typeof SCHEMA>): KnownTable[] =>
  Object.entries(tables).map(([name, { fields }]) => ({
    name,
    fields: Object.entries(fields).map(([field, { type, table = null }]) => ({ name: field, type, table })),
  }))

/** What texts can name; asked for once in a page, because answers are kept. */
export function useKnownNames(): KnownNames {
  const { id: projectId } = useProject()
  const [{ data }] = useQuery({ query: ASK_RAW, variables: { projectId, query: SCHEMA_QUERY } })
  const { names: events } = useEventNames()
  const { names: eventProperties } = usePropertyNames("event")
  const { names: personProperties } = usePropertyNames("person")
  const schema = data?.query?.__typename === "JsonResult" ? data.query.answer : null
  const { tables, functions } = useMemo(() => {
    const read = z.safeParse(SCHEMA, schema)
    return read.success ? { tables: toTables(read.data), functions: read.data.functions } : NOTHING
  }, [schema])
  return {
    tables,
    functions,
    events: events.map(({ name }) => name),
    eventProperties: eventProperties.map(({ name }) => name),
    personProperties: personProperties.map(({ name }) => name),
  }
}

const NOTHING = { tables: [], functions: [] }
