import { z } from "zod"

const EXAMPLES = 3

const counted = z.object({ count: z.int(), examples: z.array(z.string()) })

/** What an import came to so far, as it is kept in its ledger. */
export const importReport = z.object({
  /** Rows of the source. */
  read: z.int(),
  /** Events that the server acknowledged. */
  sent: z.int(),
  /** Events that the project had before. */
  alreadyThere: z.int(),
  /** Rows that were not sent, or were dropped by the server, by reason. */
  leftOut: z.record(z.string(), counted),
  /** Columns that nothing is known about: their rows came over without them. */
  unknownColumns: z.record(z.string(), counted),
})

export type ImportReport = z.output<typeof importReport>
export type Counts = Record<string, z.output<typeof counted>>

export const createReport = (): ImportReport => ({
  read: 0,
  sent: 0,
  alreadyThere: 0,
  leftOut: {},
  unknownColumns: {},
})

/** Counts under a name, and keeps the first examples. */
export function count(counts: Counts, name: string, example: string, by = 1): void {
  // A column may be called as what every object has, such as `constructor`.
  const known = Object.hasOwn(counts, name) ? counts[name] : undefined
  const entry = known ?? { count: 0, examples: [] }
  counts[name] = entry
  entry.count += by
  if (entry.examples.length < EXAMPLES && !entry.examples.includes(example)) entry.examples.push(example)
}

/** The report in lines for a person. */
export function describeReport({ read, sent, alreadyThere, leftOut, unknownColumns }: ImportReport): string {
  const total = Object.values(leftOut).reduce((sum, entry) => sum + entry.count, 0)
  const lines = [
    `${read} rows read, ${sent} events sent, ${alreadyThere} there before, ${total} left out.`,
    ...describeCounts("left out", leftOut),
    ...describeCounts("unknown column", unknownColumns),
  ]
  return lines.join("\n")
}

/** A line for each name, the largest count first. */
export const describeCounts = (title: string, counts: Counts): string[] =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([name, entry]) => `  ${title}: ${name}, ${entry.count} rows, such as ${entry.examples.join("; ")}`)
