/** Headers by their names in lower case, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The first value of a header. */
export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === "string" ? value : value?.[0]
}
