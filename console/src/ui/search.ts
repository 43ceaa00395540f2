/** What the address of a page may hold: anything, because people write addresses too. */
export type RawSearch = Readonly<Record<string, unknown>>

/** A text of the address; absent when there is none. Numbers are texts that look like one. */
export function readText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Texts of the address; absent when there are none. */
export function readTexts(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.flatMap((item) => readText(item) ?? []) : []
  return texts.length === 0 ? undefined : texts
}
