import type { PoolClient } from "pg"
import { savePersonChanges } from "../changes/person-changes.store.js"
import type { PersonStore } from "../persons.types.js"
import { loadPersonFacts } from "./person-facts.store.js"
import { lockPersons } from "./person-lock.store.js"

/** Characters of JSON of persons, and of groups, that are loaded at once. A part of 10,000 persons of 6 kB each is within it. */
const MAX_LOADED_CHARACTERS = 64 * 1024 * 1024

/** Persons and groups in PostgreSQL, inside the transaction that `client` is in: one statement per kind, whatever the number. */
export function createPersonStore(client: PoolClient, maxLoadedCharacters = MAX_LOADED_CHARACTERS): PersonStore {
  return {
    async load(questions) {
      await lockPersons(
        client,
        questions.map(({ projectId }) => projectId),
      )
      return loadPersonFacts(client, questions, maxLoadedCharacters)
    },
    save: (changes) => savePersonChanges(client, changes),
  }
}
