/** What a statement of a migration may take from processes of the release before, by what is said of it. */
const CONTRACTIONS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["drops a table or view", /\bDROP\s+(?:TABLE|VIEW|MATERIALIZED\s+VIEW|SCHEMA|TYPE|FUNCTION|SEQUENCE)\b/i],
  ["drops a column", /\bDROP\s+COLUMN\b/i],
  ["drops a default", /\bDROP\s+DEFAULT\b/i],
  ["renames", /\bRENAME\b/i],
  ["changes a type", /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b|\bMODIFY\s+COLUMN\b/i],
  ["forbids null", /\bSET\s+NOT\s+NULL\b/i],
  ["empties a table", /\bTRUNCATE\b/i],
  [
    "adds a column that must have a value",
    /\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\b(?:DEFAULT|GENERATED)\b)/i,
  ],
]
const ALTERED = /\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+|ONLY\s+)*([\w"]+)/gi
const CREATED = /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w"]+)/gi
/** `-- Waits for v0.2.0: why nothing of that release needs it any more.` */
const WAITS_FOR = /^-- Waits for v(\d+)\.(\d+)\.(\d+): \S/m

const withoutComments = (migration: string): string => migration.replace(/--.*$/gm, "")
const readNames = (sql: string, pattern: RegExp): string[] => [...sql.matchAll(pattern)].map(([, name = ""]) => name)

/**
 * What a migration takes away from processes of the release before, which serve while it runs (decision 0097); nothing when it says
 * that it waits for a release that is older than `version`.
 */
export function findContractions(migration: string, version: string): string[] {
  const [, ...awaited] = WAITS_FOR.exec(migration) ?? []
  if (awaited.length > 0 && isBefore(awaited.map(Number), version)) return []
  return CONTRACTIONS.filter(([, pattern]) => pattern.test(withoutComments(migration))).map(([what]) => what)
}

/** The tables that a migration alters and does not make itself. */
export function listAlteredTables(migration: string): string[] {
  const sql = withoutComments(migration)
  const created = readNames(sql, CREATED)
  return [...new Set(readNames(sql, ALTERED))].filter((name) => !created.includes(name))
}

function isBefore(release: readonly number[], version: string): boolean {
  const parts = version.split(".").map(Number)
  const at = parts.findIndex((part, index) => part !== release[index])
  return at >= 0 && (release[at] ?? 0) < (parts[at] ?? 0)
}
