/** A field of a table, as a text names it. */
export interface KnownField {
  readonly name: string
  /** What it holds, such as `string` or `datetime`. */
  readonly type: string
  /** The table whose rows it leads to; null for a value. */
  readonly table: string | null
}

/** A table that can be asked. */
export interface KnownTable {
  readonly name: string
  readonly fields: readonly KnownField[]
}

/** What a text of HogQL can name: held in the page, so that typing never waits for the server. */
export interface KnownNames {
  readonly tables: readonly KnownTable[]
  readonly functions: readonly string[]
  /** Names of events. */
  readonly events: readonly string[]
  readonly eventProperties: readonly string[]
  readonly personProperties: readonly string[]
}

/** A name as a text has to write it: with backticks unless it is a plain word. */
export const quoteName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `\`${name}\``)
