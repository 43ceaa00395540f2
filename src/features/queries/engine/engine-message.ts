import { toPlainSentence } from "./plain-sentence.js"

/** Where the engine begins to quote the SQL that it was given. */
const QUOTED_SQL =
  /[:.,;]?\s*(?:\(?(?:in scope|while processing|while executing|in query|maybe you meant|required columns|source columns|available columns|actual query|in the query tree|when converting)\b|:\s*in expression\b)/i

/** What only generated SQL holds: stored names, generated names, the guard's parameter. */
const PHYSICAL =
  /\bproject_id\b|\b_?table\d+\b|\bj_\w+|\br\.[`\w$]|\b[atlw]\d+\b|\{\w+:\w+\}|\bSELECT\b|\bFROM\b|__|_CAST|person_distinct_id_overrides/

/** A field of a query's own table as we print it: the chain that the user wrote, joined with two underscores. */
const FIELD = /\bt\d+\.(?:`([^`]+)`|([\w$]+))/g

const toWrittenField = (_: string, quoted: string | undefined, bare: string): string =>
  (quoted ?? bare).replaceAll("__", ".")

/** What the engine says itself, without the SQL that it quotes and without its full stop; columns as they were written. */
export function toSentence(message: string): string {
  const cut = QUOTED_SQL.exec(message)
  return (cut === null ? message : message.slice(0, cut.index))
    .replace(/[\s:;,.(]+$/, "")
    .replace(FIELD, toWrittenField)
    .trim()
}

/**
 * The part of an engine's error message that a user may read: without the generated SQL, which would show how tables are
 * stored, and in plain words where we know some. When the sentence itself mentions such names, only the name of the error is
 * left.
 */
export function toUserMessage(engineName: string, message: string): string {
  const sentence = toSentence(message)
  if (sentence === "" || PHYSICAL.test(sentence)) {
    return `The query cannot be run: ${engineName.toLowerCase().replaceAll("_", " ")}.`
  }
  return `${toPlainSentence(sentence)}.`
}
