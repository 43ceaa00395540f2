/** A formula over series, `A` the first of them. Gives the value for the series' values at one place. */
export type Formula = (values: readonly number[]) => number

const MAX_LENGTH = 1000
const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z])(?![A-Za-z])|([-+*/%^()]))/y

/**
 * Reads `A / B * 100`: letters, numbers, + - * / % ^ and brackets. Dividing by zero gives 0, as a chart has no other place
 * for it. Null for a text that is not a formula, or that names more series than there are.
 */
export function readFormula(text: string, seriesCount: number): Formula | null {
  const tokens = tokensOf(text)
  if (tokens === null) return null
  let at = 0
  let depth = 0

  function sum(): Formula | null {
    let left = product()
    while (left !== null && (tokens?.[at] === "+" || tokens?.[at] === "-")) {
      const operator = tokens[at++] as string
      left = combine(operator, left, product())
    }
    return left
  }

  function product(): Formula | null {
    let left = signed()
    while (left !== null && ["*", "/", "%"].includes(tokens?.[at] ?? "")) {
      const operator = tokens?.[at++] as string
      left = combine(operator, left, signed())
    }
    return left
  }

  /** A minus in front is of the whole power: `-A ^ 2` is never more than 0. */
  function signed(): Formula | null {
    if (tokens?.[at] !== "-") return power()
    at++
    const value = ++depth > MAX_LENGTH ? null : signed()
    return value && ((values) => -value(values))
  }

  function power(): Formula | null {
    const base = atom()
    if (base === null || tokens?.[at] !== "^") return base
    at++
    return combine("^", base, signed())
  }

  function atom(): Formula | null {
    const token = tokens?.[at++]
    if (token === undefined || ++depth > MAX_LENGTH) return null
    if (token === "(") {
      const inner = sum()
      return tokens?.[at++] === ")" ? inner : null
    }
    if (/^[\d.]/.test(token)) return () => Number(token)
    const index = token.toUpperCase().charCodeAt(0) - 65
    if (index < 0 || index >= seriesCount) return null
    return (values) => values[index] ?? 0
  }

  const formula = sum()
  return at === tokens.length ? formula : null
}

function tokensOf(text: string): string[] | null {
  if (text.length > MAX_LENGTH) return null
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text)
    if (found === null) return null
    tokens.push(found[1] ?? found[2] ?? found[3] ?? "")
  }
  return tokens.length === 0 ? null : tokens
}

function combine(operator: string, left: Formula, right: Formula | null): Formula | null {
  if (right === null) return null
  return (values) => {
    const [a, b] = [left(values), right(values)]
    const result = calculate(operator, a, b)
    return Number.isFinite(result) ? result : 0
  }
}

function calculate(operator: string, a: number, b: number): number {
  if (operator === "+") return a + b
  if (operator === "-") return a - b
  if (operator === "*") return a * b
  if (operator === "^") return a ** b
  return operator === "/" ? a / b : a % b
}
