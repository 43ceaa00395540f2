/** A result as GraphQL over HTTP shows it. */
interface ShownResult {
  readonly errors?: readonly unknown[]
  readonly data?: object | null
  readonly extensions?: object
}

/** Shorter data is not worth keeping. */
const MIN_KEPT_CHARACTERS = 16_384

/** Makes what writes results as JSON. Data that comes again, as that of introspection does, is written once. */
export function createResultWriter(): (result: ShownResult) => string {
  const written = new WeakMap<object, string>()
  return (result) => {
    const { data, errors, extensions } = result
    if (data == null || errors !== undefined) return `${JSON.stringify(result)}\n`
    const text = written.get(data) ?? JSON.stringify(data)
    if (text.length >= MIN_KEPT_CHARACTERS) written.set(data, text)
    return extensions === undefined
      ? `{"data":${text}}\n`
      : `{"data":${text},"extensions":${JSON.stringify(extensions)}}\n`
  }
}
