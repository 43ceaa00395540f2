import type { PoolClient } from "pg"
import { savePersonChanges } from "../changes/person-changes.store.js"
import type { PersonStore } from "../persons.types.js"
import { loadPersonFacts } from "./person-facts.store.js"
import { lockPersons } from "./person-lock.store.js"

/** Persons and groups in PostgreSQL, inside the transaction that `client` is in: one statement per kind, whatever the number. */
export function createPersonStore(client: PoolClient): PersonStore {
  return {
    async load(questions) {
      await lockPersons(
        client,
        questions.map(({ projectId }) => projectId),
      )
      return loadPersonFacts(client, questions)
    },
    save: (changes) => savePersonChanges(client, changes),
  }
}
