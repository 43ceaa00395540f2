import { asPersonId, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import type { Person, PersonDirectory, PersonIdRange } from "./person-directory.types.js"

/** As many hexadecimal digits of an id as a JSON number holds exactly. */
const DIGITS = 12
const NUMBERS = 16 ** DIGITS

/** What stands for a person where clients want a number (`interface.md`, person of a recording): the beginning of its id. */
export const toPersonNumber = (id: PersonId): number => Number.parseInt(id.replaceAll("-", "").slice(0, DIGITS), 16)

/** Whether a text is a number in digits alone. */
export const isPersonNumber = (text: string): boolean => /^\d+$/.test(text)

/** Null for a number that nobody has. */
function toPersonIdRange(number: number): PersonIdRange | null {
  if (number >= NUMBERS) return null
  const digits = number.toString(16).padStart(DIGITS, "0")
  const begin = `${digits.slice(0, 8)}-${digits.slice(8)}`
  return { first: asPersonId(`${begin}-0000-0000-000000000000`), last: asPersonId(`${begin}-ffff-ffff-ffffffffffff`) }
}

/** The person that a number in digits stands for; null when there is none. */
export async function findByNumber(
  directory: PersonDirectory,
  projectId: ProjectId,
  digits: string,
): Promise<Person | null> {
  const range = toPersonIdRange(Number(digits))
  return range === null ? null : directory.findInRange(projectId, range)
}
