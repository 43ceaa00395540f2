import { AppError } from "../../../kernel/errors.js"
import { requireLength } from "../../../kernel/text-length.js"
import type { EventSelection, SelectedProperty } from "./event-deletions.types.js"

/** Which events, as somebody writes it. */
export interface WantedEvents {
  readonly names?: readonly string[] | null
  readonly from?: Date | null
  readonly before?: Date | null
  readonly properties?: readonly { readonly name: string; readonly values?: readonly string[] | null }[] | null
}

const MAX_ENTRIES = 100
const MAX_CHARACTERS = 1_000
/** Years that events may be of. */
const EARLIEST_MS = Date.UTC(1900, 0, 1)
const LATEST_MS = Date.UTC(2299, 11, 31)

/**
 * Reads which events are meant.
 * @throws AppError naming the field: `required` when nothing is said, which would be all events, `max_length` for more
 * than a hundred names, properties or values and for long ones, `invalid_input` for an empty list, for a time that no
 * event has, and for times between which there is none.
 */
export function readSelection({ names, from, before, properties }: WantedEvents): EventSelection {
  if (names == null && from == null && before == null && (properties ?? []).length === 0)
    throw new AppError("required", { attr: "names", detail: "Say which events: by names, properties or times." })
  if (from != null && before != null && from >= before)
    throw new AppError("invalid_input", { attr: "before", detail: "before must be later than from." })
  return {
    names: names == null ? null : checkTexts("names", names),
    from: from == null ? null : checkTime("from", from),
    before: before == null ? null : checkTime("before", before),
    properties: checkProperties(properties ?? []),
  }
}

function checkProperties(properties: NonNullable<WantedEvents["properties"]>): SelectedProperty[] {
  requireFew("properties", properties)
  return properties.map(({ name, values }, index) => {
    checkTexts(`properties__${index}__name`, [name])
    return { name, values: values == null ? null : checkTexts(`properties__${index}__values`, values) }
  })
}

function checkTexts(attr: string, texts: readonly string[]): readonly string[] {
  requireFew(attr, texts)
  if (texts.length === 0) throw new AppError("invalid_input", { attr, detail: `${attr} must not be empty.` })
  for (const text of texts) requireLength(attr, text, MAX_CHARACTERS)
  return texts
}

function requireFew(attr: string, list: readonly unknown[]): void {
  const detail = `Ensure this field has no more than ${MAX_ENTRIES} entries.`
  if (list.length > MAX_ENTRIES) throw new AppError("max_length", { attr, detail })
}

function checkTime(attr: string, time: Date): string {
  const timeMs = time.getTime()
  if (timeMs >= EARLIEST_MS && timeMs <= LATEST_MS) return time.toISOString()
  throw new AppError("invalid_input", { attr, detail: `${attr} must be a time from 1900 to 2299.` })
}
