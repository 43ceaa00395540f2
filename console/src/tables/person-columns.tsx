import { Link } from "@tanstack/react-router"
import type { Column } from "../ui/data-table"

/** A person in a list of some. */
export interface ListedPerson {
  readonly id: string
  readonly uuid: string
  readonly name: string
  readonly distinctIds: readonly string[]
}

/** Who it is, with a link to their page, and their ids. */
export const PERSON_COLUMNS: readonly Column<ListedPerson>[] = [
  {
    title: "Person",
    cell: ({ uuid, name }) => (
      <Link from="/project/$project" to="/project/$project/persons/$person" params={{ person: uuid }}>
        {name}
      </Link>
    ),
  },
  {
    title: "Distinct ids",
    cell: ({ distinctIds: [first, ...more] }) => `${first ?? ""}${more.length > 0 ? ` and ${more.length} more` : ""}`,
  },
]
