import { parseArgs } from "node:util"

/** Whole numbers of the command line, `--name 12`; what is not given has its default. */
export function readNumbers<Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> {
  const names = Object.keys(defaults) as Name[]
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  })
  return Object.fromEntries(
    names.map((name) => {
      const given = values[name]
      const number = given === undefined ? defaults[name] : Number(given)
      if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`)
      return [name, number]
    }),
  ) as Record<Name, number>
}

/** Numbers from 0 to 1 that follow from the seed, so that a run can be repeated (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
