import { AppError } from "./errors.js"

/**
 * Characters are counted as PostgreSQL counts them, in code points: an emoji is one.
 * @throws AppError max_length naming `attr` when a text has more than `max` of them.
 */
export function requireLength(attr: string, text: string, max: number): void {
  if (text.length <= max || [...text].length <= max) return
  throw new AppError("max_length", { attr, detail: `Ensure this field has no more than ${max} characters.` })
}
