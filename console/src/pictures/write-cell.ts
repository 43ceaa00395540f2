/** A cell as text: what strangers sent never becomes markup. */
export function writeCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell)
}
