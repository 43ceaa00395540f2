import { toWireRows } from "../../../src/features/queries/insights/wire-value.js"
import type { CompiledQuery } from "../../../src/hogql/index.js"
import type { Json } from "../../../src/kernel/json.js"
import type { TestEngine } from "./engine.js"

/** The rows of a compiled query as an answer shows them. */
export function shownRows(engine: TestEngine, compiled: CompiledQuery, timezone: string): Json[][] {
  const { rows, types } = engine.run(compiled)
  const shown = compiled.exact ? rows : rows.slice(0, compiled.limit)
  return toWireRows(shown as Json[][], types, timezone)
}
