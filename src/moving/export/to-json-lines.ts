import { Readable } from "node:stream"
import { type Json, parseJson } from "../../kernel/json.js"
import { readLines } from "../files/read-lines.js"

/** Makes lines of JSON objects of lines of arrays, whose texts in some columns are JSON and become part of the line. */
export const toJsonLines = (answer: Readable, columns: readonly string[], jsonColumns: ReadonlySet<string>): Readable =>
  Readable.from(writeLines(answer, columns, jsonColumns))

async function* writeLines(answer: Readable, columns: readonly string[], jsonColumns: ReadonlySet<string>) {
  for await (const { text } of readLines(answer)) {
    const values = parseJson(text)
    if (!Array.isArray(values)) throw new Error(`A row of the engine is no array: ${text.slice(0, 100)}`)
    const pairs = columns.map((name, index) => `"${name}":${toText(values[index] ?? null, jsonColumns.has(name))}`)
    yield Buffer.from(`{${pairs.join(",")}}\n`)
  }
}

/** As it is, without parsing it: numbers keep all their digits. */
const toText = (value: Json, isJson: boolean): string =>
  isJson && typeof value === "string" && value !== "" ? value : JSON.stringify(value)
