import type { Ids } from "./ids.js"

/** Ids that count from 1, so that tests and recorded examples read the same on every run. Never for production. */
export function createCountingIds(): Ids {
  let count = 0
  const next = (length: number) => String(++count).padStart(length, "0")
  return {
    uuidV4: () => `00000000-0000-4000-8000-${next(12)}`,
    uuidV7: () => `00000000-0000-7000-8000-${next(12)}`,
    secret: (prefix) => prefix + next(43),
    shortId: (length) => next(length),
  }
}
