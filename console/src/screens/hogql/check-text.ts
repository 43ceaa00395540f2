import type { Client } from "urql"
import * as z from "zod/mini"
import type { TextFault } from "../../editor/hogql-editor"
import { ASK_RAW } from "./hogql.queries"

const METADATA = z.object({
  errors: z.array(z.object({ message: z.string(), start: z.number(), end: z.number() })),
})

/** Finds what is wrong with a text, without running it; nothing where the server cannot say. */
export async function checkText(
  client: Client,
  projectId: string,
  text: string,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly TextFault[]> {
  const query = { kind: "HogQLMetadata", language: "hogQL", query: text, globals: values }
  const { data } = await client.query(ASK_RAW, { projectId, query }).toPromise()
  const read = z.safeParse(METADATA, data?.query?.__typename === "JsonResult" ? data.query.answer : null)
  return read.success ? read.data.errors : []
}
