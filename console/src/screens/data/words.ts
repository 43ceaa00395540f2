/** A value of an enum as words: `NOT_AN_EVENT` is "Not an event". */
export function toWords(value: string): string {
  const words = value.toLowerCase().replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
