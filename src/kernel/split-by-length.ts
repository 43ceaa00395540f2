/** Splits a list into pieces whose items have at most `maxLength` together; a longer item is alone. Keeps the order. */
export function splitByLength<Item>(
  items: readonly Item[],
  maxLength: number,
  lengthOf: (item: Item) => number,
): Item[][] {
  const pieces: Item[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const item of items) {
    const own = lengthOf(item)
    if (length + own > maxLength) {
      pieces.push([])
      length = 0
    }
    pieces.at(-1)?.push(item)
    length += own
  }
  return pieces
}
