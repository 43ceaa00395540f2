import type { FunctionDefinition } from "./definition.js"

/** What a suffix makes of an aggregate. */
const COMBINATORS = {
  /** One argument more: only rows for which it holds. */
  If: ({ minArgs, maxArgs }) => ({ minArgs: minArgs + 1, maxArgs: maxArgs + 1 }),
  /** Over the items of arrays. */
  Array: () => ({}),
  /** Place by place over arrays. */
  ForEach: () => ({ type: "Array", nulls: "never" }),
  /** Value by value over maps. */
  Map: () => ({ type: "Unknown", minArgs: 1, maxArgs: 1 }),
  Distinct: () => ({}),
  OrNull: () => ({ nulls: "always" }),
  OrDefault: () => ({ nulls: "never" }),
  /** One argument more: from the rows where it is least, or most. */
  ArgMin: ({ minArgs, maxArgs }) => ({ minArgs: minArgs + 1, maxArgs: maxArgs + 1 }),
  ArgMax: ({ minArgs, maxArgs }) => ({ minArgs: minArgs + 1, maxArgs: maxArgs + 1 }),
  /** What has been added up so far, to be finished by Merge. */
  State: () => ({ type: "Unknown", nulls: "never" }),
  Merge: ({ type }) => ({ type: type === "Same" ? "Unknown" : type, minArgs: 1, maxArgs: 1 }),
} satisfies Readonly<Record<string, (plain: FunctionDefinition) => Partial<FunctionDefinition>>>

type Combinator = keyof typeof COMBINATORS
const SUFFIXES = Object.keys(COMBINATORS) as Combinator[]
/** `sumArrayOrNullIf` has three; more than that nobody writes. */
const MAX_SUFFIXES = 3

/** `count` → `countIf`. */
export const combined = (plain: FunctionDefinition, suffix: Combinator): FunctionDefinition => ({
  ...plain,
  ...(COMBINATORS[suffix](plain) as Partial<FunctionDefinition>),
  name: `${plain.name}${suffix}`,
  engine: `${plain.engine}${suffix}`,
})

/**
 * The aggregate that a name with suffixes stands for: `uniqState`, `sumArrayIf`.
 *
 * @param findPlain finds aggregates without suffixes
 */
export function findCombined(
  name: string,
  findPlain: (name: string) => FunctionDefinition | undefined,
  depth = 0,
): FunctionDefinition | undefined {
  if (depth === MAX_SUFFIXES) return undefined
  for (const suffix of SUFFIXES) {
    if (!name.endsWith(suffix) || name.length === suffix.length) continue
    const rest = name.slice(0, -suffix.length)
    const plain = findPlain(rest) ?? findCombined(rest, findPlain, depth + 1)
    if (plain?.isAggregate) return combined(plain, suffix)
  }
  return undefined
}
