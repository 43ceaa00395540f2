import type { Attack } from "../attack.types.js"
import type { Attacker } from "../attacker.js"

const PERSONS = 20_000
const TEXT = "lorem ipsum dolor sit amet ".repeat(80)
const SEARCHES = 24

/** Stores persons with properties of 2 kB. */
export const storePersons = (attacker: Attacker, howMany = PERSONS): Promise<void> =>
  attacker.store(
    Array.from({ length: howMany }, (_, index) => ({
      event: "$identify",
      distinct_id: `person-${index}`,
      properties: { $set: { text: `${TEXT}${index}`, email: `person-${index}@example.com`, name: `Person ${index}` } },
    })),
  )

const search = (pattern: string): string =>
  `persons/?properties=${encodeURIComponent(JSON.stringify([{ key: "text", operator: "regex", value: pattern }]))}`

const ask = (attacker: Attacker, signal: AbortSignal, pathOf: (index: number) => string): Promise<void> =>
  attacker.repeat(SEARCHES, signal, (index) =>
    attacker.send({ path: attacker.path(pathOf(index)), headers: attacker.bearer }, signal),
  )

/** Searches that read every person of the project. */
export const PERSON_ATTACKS: readonly Attack[] = [
  {
    name: "regex-search",
    needs: "personal key",
    what: "24 clients search 20,000 persons with properties of 2 kB by a regular expression of many states.",
    prepare: (attacker) => storePersons(attacker),
    run: (attacker, signal) => ask(attacker, signal, (index) => search(`(a|e|i|o|u|.)*m.{60}${index}x`)),
  },
  {
    name: "long-patterns",
    needs: "personal key",
    what: "24 clients search them by patterns that are large once they are compiled: alternatives and nested repeats.",
    prepare: (attacker) => storePersons(attacker),
    run: (attacker, signal) =>
      ask(attacker, signal, (index) =>
        index % 2 === 0
          ? search(`(?:[a-z]{1,${40 + (index % 9)}} ){1,18}#`)
          : search(Array.from({ length: 180 }, (_, at) => `l?o?r?${at}o${index}`).join("|")),
      ),
  },
  {
    name: "text-search",
    needs: "personal key",
    what: "24 clients search them by a part of a name and ask for late pages.",
    prepare: (attacker) => storePersons(attacker),
    run: (attacker, signal) =>
      ask(attacker, signal, (index) => `persons/?search=on%20${index % 10}&offset=${index * 10}&limit=100`),
  },
  {
    name: "person-values",
    needs: "personal key",
    what: "24 clients ask for the values of their longest property.",
    prepare: (attacker) => storePersons(attacker),
    run: (attacker, signal) => ask(attacker, signal, (index) => `persons/values/?key=text&value=sit%20a${index % 7}`),
  },
]
