import { QueryReader } from "../insights/query-reader.js"
import { MAX_SUGGESTIONS, suggestionsAt } from "../insights/suggestions.js"
import type { QueryKind } from "../queries.types.js"
import type { HogqlRunner } from "./hogql-runner.js"

/** Kind `HogQLAutocomplete`: what may stand where the cursor is (`reference/management.md` 7.8). */
export function createHogqlAutocompleteKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "HogQLAutocomplete",
    async run(query, run) {
      const reader = new QueryReader(query, "HogQLAutocomplete")
      const text = reader.requiredText("query")
      const position = reader.integer("endPosition", { min: 0 }) ?? text.length
      const { propertyDefinitions: known } = await runner.scopeOf(run)
      const found = suggestionsAt(text, position, { event: known.event.keys(), person: known.person.keys() })
      return { suggestions: found.slice(0, MAX_SUGGESTIONS), incomplete_list: found.length > MAX_SUGGESTIONS }
    },
  }
}
