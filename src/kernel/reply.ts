/** An answer as plain data; `body` absent means an empty body. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text and bytes are sent as they are (set a content type); anything else as JSON. */
  readonly body?: unknown
}
