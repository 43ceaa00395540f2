import type { Attack } from "../attack.types.js"

const PERSONS = 10_000
const PERSONS_AT_ONCE = 1_000

/** Work that a single request leaves behind. */
export const DELETION_ATTACKS: readonly Attack[] = [
  {
    name: "large-deletions",
    needs: "personal key",
    what: "10,000 persons are deleted with all their events, a thousand a request.",
    prepare: (attacker) =>
      attacker.store(
        Array.from({ length: PERSONS }, (_, index) => ({ event: "$identify", distinct_id: `person-${index}` })),
      ),
    run: async (attacker, signal) => {
      for (let first = 0; first < PERSONS && !signal.aborted; first += PERSONS_AT_ONCE) {
        const distinctIds = Array.from({ length: PERSONS_AT_ONCE }, (_, index) => `person-${first + index}`)
        await attacker.sendOwn("persons/bulk_delete/", { distinct_ids: distinctIds, delete_events: true }, signal)
      }
    },
  },
]
