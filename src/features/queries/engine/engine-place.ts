import { findMention, type Mention, type Query, type Span } from "../../../hogql/index.js"
import { toSentence } from "./engine-message.js"

/** What a sentence may name, with the part of the pattern that is the name. */
const NAMES: readonly (readonly [RegExp, Mention["kind"]])[] = [
  [/^Column '([^']+)'/, "column"],
  [/\bcannot compile re2: (.*?), error:/s, "text"],
  [/\bunit '([^']+)'|'([^']+)' unit\b/, "text"],
  [/\bdata type family: (\w+)/, "text"],
  [/^(\S+) doesn't look like/, "text"],
  [/\bfunction [`']?(\w+)/i, "function"],
  [/^(Tuple) doesn't have element/, "function"],
]

/** Functions that the engine's sentences call otherwise. */
const SPOKEN: ReadonlyMap<string, string> = new Map([["Tuple", "tupleElement"]])

/**
 * Where in its text a query has what an error of the engine speaks of (`docs/contract/queries.md#query-errors`); null for a
 * query without a text.
 */
export function findPlace(query: Query, message: string): Span | null {
  // The quoted SQL behind the sentence names the function that was at work.
  const spoken = `${toSentence(message)}\n${message}`
  const mentions = NAMES.flatMap(([pattern, kind]): Mention[] => {
    const found = pattern
      .exec(spoken)
      ?.slice(1)
      .find((part) => part !== undefined)
    return found === undefined ? [] : [{ kind, name: SPOKEN.get(found) ?? found }]
  })
  return findMention(query, mentions)
}
