const HEADER_END = "\r\n\r\n"

/** Fields of a multipart/form-data body by name, files as the text they hold. Parts without a name are passed over. */
export function readMultipartFields(body: Buffer, boundary: string): Map<string, string> {
  const fields = new Map<string, string>()
  const delimiter = `--${boundary}`
  let start = body.indexOf(delimiter)
  while (start !== -1) {
    const headerStart = start + delimiter.length
    const next = body.indexOf(`\r\n${delimiter}`, headerStart)
    if (next === -1) break
    const headerEnd = body.indexOf(HEADER_END, headerStart)
    const name = /\bname="([^"]*)"/i.exec(body.toString("utf8", headerStart, headerEnd))?.[1]
    if (name !== undefined && headerEnd < next)
      fields.set(name, body.toString("utf8", headerEnd + HEADER_END.length, next))
    start = next + 2
  }
  return fields
}
