import { AppError } from "./errors.js"
import { toStorableText } from "./json.js"

/**
 * Characters are counted as PostgreSQL counts them, in code points: an emoji is one.
 * @throws AppError max_length naming `attr` when a text has more than `max` of them.
 */
export function requireLength(attr: string, text: string, max: number): void {
  if (text.length <= max || [...text].length <= max) return
  throw new AppError("max_length", { attr, detail: `Ensure this field has no more than ${max} characters.` })
}

/** Reads a name that people give: storable, without blanks around it. @throws AppError blank or max_length naming `attr`. */
export function requireName(attr: string, name: string, max: number): string {
  const text = toStorableText(name).trim()
  if (text === "") throw new AppError("blank", { attr })
  requireLength(attr, text, max)
  return text
}

const MAX_TAGS = 50
const MAX_TAG_LENGTH = 100

/**
 * Reads words by which a thing is found, each once, in the order in which they were given.
 * @throws AppError invalid_input for more than 50, blank or max_length for one of them.
 */
export function readTags(attr: string, tags: readonly string[]): string[] {
  if (tags.length > MAX_TAGS)
    throw new AppError("invalid_input", { attr, detail: `${attr} must have at most ${MAX_TAGS} items.` })
  return [...new Set(tags.map((tag, index) => requireName(`${attr}__${index}`, tag, MAX_TAG_LENGTH)))]
}

/** Cuts a text to `max` code points: no character is cut in half. Reads no more of it than it keeps. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  let units = 0
  for (let count = 0; count < max && units < text.length; count++)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, units)
}
