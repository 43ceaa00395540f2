const STORED = /(?:FROM|JOIN) (events|persons|person_\w+|groups|session_\w+|cohort_people|log_entries) AS (\w+)/g
const ALONE = /^equals\(r\.project_id, \{project:Int64\}\)(?:$|[ )])/
const WITH_EARLY = /^and\(equals\(r\.project_id, \{project:Int64\}\), /

/**
 * Stored tables in a printed SQL whose own SELECT does not have the project guard, alone or in front of an `and`, as its PREWHERE. Reads the text and knows
 * nothing of the compiler, so that it does not share its mistakes.
 */
export function unguardedTables(sql: string): string[] {
  return [...sql.matchAll(STORED)]
    .filter((found) => {
      const prewhere = ownPrewhere(sql.slice(found.index + found[0].length))
      const isGuarded = ALONE.test(prewhere) || WITH_EARLY.test(prewhere)
      return found[2] !== "r" || !isGuarded
    })
    .map((found) => found[0])
}

/** What follows PREWHERE in the SELECT that the text continues, skipping brackets. */
function ownPrewhere(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth < 0) return ""
    else if (depth === 0 && text.startsWith(" PREWHERE ", at)) return text.slice(at + " PREWHERE ".length)
  }
  return ""
}
