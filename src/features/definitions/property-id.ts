import { AppError } from "../../kernel/errors.js"
import type { DefinitionKey } from "./definitions.types.js"

const OWNERS = { event: "event_property", person: "person_property", group: "group_property" } as const
const FORM = /^(event|person|group):(-1|[0-4]):(.+)$/s

/** What names a property within its project: `event:-1:plan`. */
export const writePropertyId = ({ kind, groupTypeIndex, name }: DefinitionKey): string =>
  `${kind.replace("_property", "")}:${groupTypeIndex}:${name}`

/** The property that such a text names. @throws AppError not_found for any other text. */
export function readPropertyId(id: string): DefinitionKey {
  const [, owner, index, name] = FORM.exec(id) ?? []
  const kind = Object.entries(OWNERS).find(([word]) => word === owner)?.[1]
  if (kind === undefined || name === undefined) throw new AppError("not_found")
  return { kind, groupTypeIndex: Number(index), name }
}
