const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

type Matcher = (found: unknown, wanted: never) => boolean

const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return Number.isInteger(value) ? "integer" : typeof value
}
const has = (whole: unknown, part: unknown): boolean =>
  Array.isArray(whole) ? whole.includes(part) : String(whole).includes(String(part))
const asOrdered = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN

/** The matchers that the case file describes. */
const MATCHERS: Readonly<Record<string, Matcher>> = {
  $any: () => true,
  $type: (found, wanted: string) => typeOf(found) === wanted || (wanted === "number" && typeof found === "number"),
  $regex: (found, wanted: string) => {
    const isCaseless = wanted.startsWith("(?i)")
    return typeof found === "string" && new RegExp(wanted.replace(/^\(\?i\)/, ""), isCaseless ? "i" : "").test(found)
  },
  $prefix: (found, wanted: string) => typeof found === "string" && found.startsWith(wanted),
  $contains: has,
  $icontains: (found, wanted: string) => typeof found === "string" && has(found.toLowerCase(), wanted.toLowerCase()),
  $one_of: (found, wanted: readonly unknown[]) => wanted.some((one) => misfit(found, one) === null),
  $not: (found, wanted) => misfit(found, wanted) !== null,
  $length: (found, wanted: number) => Array.isArray(found) && found.length === wanted,
  $iso: (found) => typeof found === "string" && ISO_TIME.test(found),
  $near: (found, [target, tolerance]: readonly [number, number]) =>
    typeof found === "number" && Math.abs(found - target) <= tolerance,
  $between: (found, [from, to]: readonly [unknown, unknown]) =>
    asOrdered(found) >= asOrdered(from) && asOrdered(found) <= asOrdered(to),
  $exists: (found, wanted: boolean) => (found !== undefined && found !== null) === wanted,
}

/**
 * Where a found value does not fit a wanted one, as a sentence; null when it fits. Objects are subsets, lists are compared
 * item by item, and an object of `$…` keys asks something of the value.
 */
export function misfit(found: unknown, wanted: unknown, path = "$"): string | null {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length)
      return `${path} should have ${wanted.length} items and is ${JSON.stringify(found)?.slice(0, 300)}`
    return firstOf(wanted.map((item, index) => misfit(found[index], item, `${path}[${index}]`)))
  }
  if (typeof wanted !== "object" || wanted === null)
    return Object.is(found, wanted)
      ? null
      : `${path} should be ${JSON.stringify(wanted)} and is ${JSON.stringify(found)}`
  const wishes = Object.entries(wanted)
  return firstOf(
    wishes.map(([key, wish]) => {
      const matcher = MATCHERS[key]
      if (matcher !== undefined)
        return matcher(found, wish as never)
          ? null
          : `${path} is ${JSON.stringify(found)}, not ${key} ${JSON.stringify(wish)}`
      if (typeof found !== "object" || found === null)
        return `${path} should be an object and is ${JSON.stringify(found)}`
      return misfit((found as Record<string, unknown>)[key], wish, `${path}.${key}`)
    }),
  )
}

/** As `misfit` for a list whose items may come in any order. */
export function misfitUnordered(found: unknown, wanted: readonly unknown[]): string | null {
  if (!Array.isArray(found) || found.length !== wanted.length) return misfit(found, wanted)
  const missing = wanted.find((item) => !found.some((one) => misfit(one, item) === null))
  return missing === undefined ? null : `$ has no item like ${JSON.stringify(missing)}`
}

const firstOf = (faults: readonly (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null
