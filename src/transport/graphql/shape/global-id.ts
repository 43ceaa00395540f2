/** What an id of the graph stands for. */
export interface GlobalId {
  /** Name of the record's type. */
  readonly type: string
  /** Null for a record that is of no project. */
  readonly projectId: number | null
  /** What names the record within its project. */
  readonly key: string
}

const FORM = /^([A-Z]\w*):([1-9]\d{0,9})?:(.+)$/s
/** The longest id of a recorded session or key of a group takes less. */
const MAX_LENGTH = 2_000

/** The id of a record that is the same for nobody else in the graph (`docs/graphql.md#ids`). */
export function toGlobalId({ type, projectId, key }: GlobalId): string {
  return Buffer.from(`${type}:${projectId ?? ""}:${key}`).toString("base64url")
}

/** What an id stands for; null for a text that the graph has not made. */
export function readGlobalId(text: string): GlobalId | null {
  if (text.length > MAX_LENGTH) return null
  const [, type, project, key] = FORM.exec(Buffer.from(text, "base64url").toString()) ?? []
  if (type === undefined || key === undefined) return null
  const id = { type, projectId: project === undefined ? null : Number(project), key }
  return toGlobalId(id) === text ? id : null
}
