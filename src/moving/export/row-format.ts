import type { Readable } from "node:stream"
import { PARQUET, type PartsTarget } from "../../backup/table-parts.js"
import { JSON_COLUMNS } from "./exported-rows.js"
import type { ExportFormat } from "./manifest.js"
import { toJsonLines } from "./to-json-lines.js"

/** How files of rows are made: what the engine answers in, what becomes of that, and how their names end. */
export type RowFormat = Pick<PartsTarget, "format" | "extension" | "toContent">

/** @param columns names of the rows' columns, in their order. */
export const toRowFormat = (format: ExportFormat, columns: readonly string[]): RowFormat =>
  format === "parquet"
    ? PARQUET
    : {
        format: "JSONCompactEachRow",
        extension: "jsonl",
        toContent: (answer: Readable) => toJsonLines(answer, columns, JSON_COLUMNS),
      }
