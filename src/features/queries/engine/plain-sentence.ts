/** Signs that a query writes for these functions. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    plus: "+",
    minus: "-",
    multiply: "*",
    divide: "/",
    modulo: "%",
    equals: "=",
    notEquals: "!=",
    less: "<",
    lessOrEquals: "<=",
    greater: ">",
    greaterOrEquals: ">=",
  }),
)

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Fixed)?String/, "a text"],
  [/^(?:U?Int|B?Float|Decimal)/, "a number"],
  [/^DateTime/, "a time"],
  [/^Date/, "a date"],
  [/^Bool/, "a boolean"],
  [/^UUID/, "a UUID"],
  [/^Array/, "a list"],
  [/^Tuple/, "a tuple"],
  [/^Map/, "a map"],
  [/^Interval/, "an interval"],
  [/^Nothing/, "null"],
]

/** A type of the engine in plain words: `Nullable(String)` is a text. */
function toWord(type: string): string {
  const plain = type.trim().replace(/^(?:(?:Nullable|LowCardinality)\()+/, "")
  return WORDS.find(([pattern]) => pattern.test(plain))?.[1] ?? type
}

const toName = (name: string): string => `'${SIGNS.get(name) ?? name}'`

/** What helps when texts meet numbers. */
function toAdvice(words: readonly string[]): string {
  const isMixed = words.includes("a text") && words.includes("a number")
  return isMixed ? ": convert one of them, with toFloat or toString" : ""
}

const refusePair = (left = "", right = "", name = ""): string => {
  const words = [toWord(left), toWord(right)]
  // The same word twice would not tell what is wrong with them.
  if (words[0] === words[1]) return `${toName(name)} cannot take ${left} and ${right}`
  return `${toName(name)} cannot take ${words.join(" and ")}${toAdvice(words)}`
}

type Rephrasing = readonly [pattern: RegExp, rephrase: (...parts: string[]) => string]

/** Sentences of the engine that people who write queries meet most. */
const REPHRASINGS: readonly Rephrasing[] = [
  [/^Illegal types (.+) and (.+) of arguments of function `?(\w+)`?$/, refusePair],
  [/^Illegal types of arguments \(`(.+)`, `(.+)`\) of function `(\w+)`$/, refusePair],
  [
    /^Illegal type \(?(.+?)\)? of (?:\w+ )?argument (?:of|for aggregate) function (\w+)((?:[.,].*)?)$/,
    (type = "", name = "", wanted = "") => `${toName(name)} cannot take ${toWord(type)}${wanted}`,
  ],
  [
    /^A value of illegal type was provided as (\w+) argument '.*' to function '(\w+)'\. Expected: (.+), got: (.+)$/,
    (place = "", name = "", wanted = "", type = "") =>
      `${toName(name)} needs as its ${place} argument: ${wanted.charAt(0).toLowerCase()}${wanted.slice(1)}, not ${toWord(type)}`,
  ],
  [
    /^Column '(.+)' is not under aggregate function and not in GROUP BY keys$/,
    (column = "") => `'${column}' is neither in GROUP BY nor inside of an aggregation such as count() or any()`,
  ],
  [
    /^There is no supertype for types (.+?) because .*$/,
    (types = "") => {
      const words = [...new Set(types.split(", ").map(toWord))]
      return (
        `${words.join(" and ")} cannot stand for one value`.replace(/^./, (first) => first.toUpperCase()) +
        toAdvice(words)
      )
    },
  ],
  [
    /^OptimizedRegularExpression: cannot compile re2: (.*), error: (.*?)\. Look at .*$/s,
    (pattern = "", error = "") => `'${pattern}' is no regular expression: ${error}`,
  ],
  [
    /^Scalar subquery returned more than one row$/,
    () => "A subquery that stands for one value gave more than one row: write LIMIT 1, or IN (SELECT …)",
  ],
  [/^Cannot determine join keys.*$/s, () => "A join needs an equality of both tables in ON, such as a.id = b.id"],
]

/** A sentence of the engine, without its full stop, in the words of who wrote the query; others as they are. */
export function toPlainSentence(sentence: string): string {
  for (const [pattern, rephrase] of REPHRASINGS) {
    const found = pattern.exec(sentence)
    if (found !== null) return rephrase(...found.slice(1))
  }
  return sentence
}
