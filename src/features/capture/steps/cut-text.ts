/** Cuts a text to `maxCodePoints` characters as people count them; no character is cut in half. */
export function cutText(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  let units = 0
  for (let count = 0; count < maxCodePoints && units < text.length; count++)
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1
  return text.slice(0, units)
}
