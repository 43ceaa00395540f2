/**
 * Pieces of SQL between which a semicolon may end a statement: comments, and texts and names in quotes, where ClickHouse
 * knows both a doubled quote and a backslash as escapes. Anything else is one character.
 */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|[\s\S]/g

/** Splits SQL into its statements, without comments, closing semicolons and empty statements. */
export function splitStatements(sql: string): string[] {
  const statements = [""]
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ";") statements.push("")
    else statements[statements.length - 1] += isComment(token) ? " " : token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "")
}

const isComment = (token: string): boolean => token.startsWith("--") || token.startsWith("/*")
