/** A formula over series, `A` the first of them. Gives the value for the series' values at one place. */
export type Formula = (values: readonly number[]) => number

const MAX_LENGTH = 1000
const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z])(?![A-Za-z])|([-+*/%^()]))/y

/**
 * Reads `A / B * 100`: letters, numbers, + - * / % ^ and brackets. Dividing by zero gives 0, as a chart has no other place
 * for it. Null for a text that is not a formula, or that names more series than there are.
 */
export function readFormula(text: string, seriesCount: number): Formula | null {
  const tokens = tokenize(text)
  let at = 0
  let depth = 0

  const operator = (signs: string): string | undefined => {
    const token = tokens[at]
    return token !== undefined && signs.includes(token) ? tokens[at++] : undefined
  }

  /** Operators of one precedence, from left to right. */
  function chain(signs: string, operand: () => Formula | null): Formula | null {
    let left = operand()
    for (let sign = operator(signs); left !== null && sign !== undefined; sign = operator(signs))
      left = combine(sign, left, operand())
    return left
  }

  const sum = (): Formula | null => chain("+-", product)
  const product = (): Formula | null => chain("*/%", signed)

  /** A minus in front is of the whole power: `-A ^ 2` is never more than 0. */
  function signed(): Formula | null {
    if (operator("-") === undefined) return power()
    const value = ++depth > MAX_LENGTH ? null : signed()
    return value && ((values) => -value(values))
  }

  function power(): Formula | null {
    const base = atom()
    return base === null || operator("^") === undefined ? base : combine("^", base, signed())
  }

  function atom(): Formula | null {
    const token = tokens[at++]
    if (token === undefined || ++depth > MAX_LENGTH) return null
    if (token === "(") {
      const inner = sum()
      return operator(")") === undefined ? null : inner
    }
    if (/^[\d.]/.test(token)) return () => Number(token)
    const index = token.toUpperCase().charCodeAt(0) - 65
    if (index < 0 || index >= seriesCount) return null
    return (values) => values[index] ?? 0
  }

  const formula = sum()
  return at === tokens.length ? formula : null
}

/** None for a text that is too long or has anything else in it. */
function tokenize(text: string): string[] {
  const end = text.trimEnd().length
  if (end > MAX_LENGTH) return []
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (found === null) return []
    tokens.push(found[1] ?? found[2] ?? found[3] ?? "")
  }
  return tokens
}

function combine(operator: string, left: Formula, right: Formula | null): Formula | null {
  if (right === null) return null
  return (values) => {
    const result = calculate(operator, left(values), right(values))
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
