import * as z from "zod/mini"

/** What this browser keeps under a name; null when there is nothing, or nothing of this kind. */
export function readStored<Type extends z.ZodMiniType>(name: string, type: Type): z.infer<Type> | null {
  try {
    const read = z.safeParse(type, JSON.parse(localStorage.getItem(name) ?? "null"))
    return read.success ? read.data : null
  } catch {
    // Not our text, or the browser keeps nothing.
    return null
  }
}

/** Keeps a value in this browser, where it keeps anything. */
export function writeStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // A full or closed store: what was kept before is all that is lost.
  }
}
