import type { Attack } from "../attack.types.js"
import { storePersons } from "./persons.js"

const EXPORTS = 20
const PERSONS = 10_000
/** With names of this length nearly as many tokens and characters as a document may have. */
const FRAGMENTS = 120
const NAME_CHARACTERS = 380

const exportsOf = (projectId: number): string =>
  JSON.stringify({
    query: `{ ${Array.from({ length: EXPORTS }, (_, at) => `e${at}: exportPersons(projectId: "${projectId}") { id properties }`).join(" ")} }`,
  })

/** A document that was never seen before, in which every two fragments have to be compared with each other. */
const uniqueDocument = (index: number): string => {
  const names = Array.from({ length: FRAGMENTS }, (_, at) => `f${at}_${index}_${"n".repeat(NAME_CHARACTERS)}`)
  const spreads = names.map((name) => `...${name}`).join(" ")
  const fragments = names.map((name) => `fragment ${name} on Me { id uuid email }`).join(" ")
  return JSON.stringify({ query: `{ me { ${spreads} } } ${fragments}` })
}

/** Documents that cost more than they look. */
export const GRAPHQL_ATTACKS: readonly Attack[] = [
  {
    name: "aliased-exports",
    needs: "personal key",
    what: "Two clients ask for 20 exports of 10,000 persons with properties of 2 kB in one document.",
    prepare: (attacker) => storePersons(attacker, PERSONS),
    run: (attacker, signal) => {
      const body = exportsOf(attacker.tenant.projectId)
      return attacker.repeat(2, signal, () =>
        attacker.send({ path: "/graphql", headers: attacker.bearer, body }, signal),
      )
    },
  },
  {
    name: "unique-documents",
    needs: "nothing",
    what: "16 clients send documents of 95 kB with 120 fragments, no two of them equal.",
    run: (attacker, signal) =>
      attacker.repeat(16, signal, (index) => attacker.send({ path: "/graphql", body: uniqueDocument(index) }, signal)),
  },
]
