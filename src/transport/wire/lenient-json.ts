import { type Json, parseJson } from "../../kernel/json.js"

/** Texts, passed over whole, and the numbers that JSON has no word for. A text without an end goes on to the last character. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\w.])-?(?:Infinity|NaN)(?![\w.])/gs

/**
 * Parses JSON as some clients of flags write it: `NaN`, `Infinity` and `-Infinity` become null
 * (`docs/contract/flags.md#decision-bodies`).
 * @throws SyntaxError for anything else that is no JSON.
 */
export function parseLenientJson(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    const corrected = text.replace(TEXT_OR_NUMBER, (found) => (found.startsWith('"') ? found : "null"))
    if (corrected === text) throw error
    return parseJson(corrected)
  }
}
