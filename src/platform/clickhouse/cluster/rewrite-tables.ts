import { readTokens } from "../sql-tokens.js"

/** What servers say of themselves, as far as statements of ours ask for it. */
const SYSTEM_TABLE = /^system\.(?:processes|mutations)$/

/** Statements that name none of the tables are not looked at further: most are queries, some of them long. */
export const readSystemEverywhere = (sql: string, cluster: string): string =>
  sql.includes("system.")
    ? renameTables(sql, (name) => (SYSTEM_TABLE.test(name) ? `clusterAllReplicas('${cluster}', ${name})` : name))
    : sql

/** Renames the tables that a statement reads: bare names behind FROM and JOIN, with what is before a dot. */
export function renameTables(sql: string, rename: (name: string) => string): string {
  let written = ""
  let position = 0
  /** Where the name begins that is being read; null outside of one. */
  let nameStart: number | null = null
  let previous = ""
  for (const { kind, value, isQuoted, end } of readTokens(sql)) {
    const isBare = kind === "word" && !isQuoted
    const goesOn = nameStart !== null && (value === "." || previous === ".")
    if (nameStart !== null && !goesOn) {
      written += rename(sql.slice(nameStart, position))
      nameStart = null
    }
    if (nameStart === null) {
      const isName = isBare && (previous === "FROM" || previous === "JOIN")
      const start = isName ? end - value.length : end
      written += sql.slice(position, start)
      if (isName) nameStart = start
    }
    previous = isBare ? value.toUpperCase() : value
    position = end
  }
  return written + (nameStart === null ? sql.slice(position) : rename(sql.slice(nameStart)))
}
