import { MAX_SUGGESTIONS, suggestionsAt } from "../insights/suggestions.js"
import type { KindDefinition } from "./kind-definition.types.js"

/** Kind `HogQLAutocomplete`: what may stand where the cursor is (`docs/contract/queries.md#schema-kinds`). */
export const hogqlAutocomplete: KindDefinition = {
  kind: "HogQLAutocomplete",
  async answer(reader, context) {
    const text = reader.requiredText("query")
    const position = reader.integer("endPosition", { min: 0 }) ?? text.length
    const { propertyDefinitions: known } = await context.hogqlScope()
    const found = suggestionsAt(text, position, { event: known.event.keys(), person: known.person.keys() })
    return { suggestions: found.slice(0, MAX_SUGGESTIONS), incomplete_list: found.length > MAX_SUGGESTIONS }
  },
}
