import { asPersonId, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import type { PersonDirectory } from "./person-directory.store.js"
import type { Person } from "./persons.graphql.js"

/** As many hexadecimal digits of an id as a JSON number holds exactly. */
const DIGITS = 12
const NUMBERS = 16 ** DIGITS

/**
 * What stands for a person where clients want a number (`docs/contract/recordings.md#person-of-a-recording`): the
 * beginning of its id.
 */
export const toPersonNumber = (id: PersonId): number => Number.parseInt(id.replaceAll("-", "").slice(0, DIGITS), 16)

/** Whether a text is a number in digits alone. */
export const isPersonNumber = (text: string): boolean => /^\d+$/.test(text)

/** The person that a number in digits stands for; null when there is none. */
export async function findByNumber(
  directory: PersonDirectory,
  projectId: ProjectId,
  digits: string,
): Promise<Person | null> {
  const number = Number(digits)
  if (number >= NUMBERS) return null
  const hex = number.toString(16).padStart(DIGITS, "0")
  const begin = `${hex.slice(0, 8)}-${hex.slice(8)}`
  const [first, last] = [`${begin}-0000-0000-000000000000`, `${begin}-ffff-ffff-ffffffffffff`]
  return directory.findInRange(projectId, asPersonId(first), asPersonId(last))
}
