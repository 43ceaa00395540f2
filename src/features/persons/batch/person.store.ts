import type { PoolClient } from "pg"
import type { PersonStore } from "../persons.types.js"
import { savePersonChanges } from "./person-changes.store.js"
import { loadPersonFacts } from "./person-facts.store.js"
import { lockPersons } from "./person-lock.store.js"

/** Characters of JSON of persons, and of groups, that are loaded at once. 10,000 persons of 6 kB each are within it. */
const MAX_LOADED_CHARACTERS = 64 * 1024 * 1024

/** Persons and groups in PostgreSQL, inside the transaction that `client` is in: one statement per kind, whatever the number. */
export function createPersonStore(client: PoolClient, maxLoadedCharacters = MAX_LOADED_CHARACTERS): PersonStore {
  return {
    async load(lookups) {
      await lockPersons(
        client,
        lookups.map(({ projectId }) => projectId),
      )
      return loadPersonFacts(client, lookups, maxLoadedCharacters)
    },
    save: (changes) => savePersonChanges(client, changes),
  }
}
