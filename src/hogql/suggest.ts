import { HogqlError } from "./hogql-error.js"
import type { Span } from "./nodes/nodes.js"

/** The known name nearest to what was written, when it is near enough to have been meant. */
function nearest(written: string, known: Iterable<string>): string | null {
  const target = written.toLowerCase().slice(0, 100)
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(target.length / 4)) + 1
  for (const name of known) {
    if (Math.abs(name.length - target.length) >= bestDistance) continue
    const distance = editDistance(target, name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** ` Perhaps you meant 'x'?` or nothing. */
export function hint(written: string, known: Iterable<string>): string {
  const name = nearest(written, known)
  return name === null ? "" : ` Perhaps you meant '${name}'?`
}

/** A name that stands for nothing. */
export class UnresolvedField extends HogqlError {
  constructor(
    readonly written: string,
    reason: string,
    at: Span,
  ) {
    super("query", `Unable to resolve field: ${written}${reason === "" ? "" : `. ${reason}`}`, at)
  }
}

/** The error for a name that stands for nothing; `advice` is one more sentence. */
export const unresolvedField = (written: string, known: Iterable<string>, at: Span, advice = ""): UnresolvedField =>
  new UnresolvedField(written, `${hint(written, known)} ${advice}`.trim(), at)

const at = (numbers: readonly number[], index: number): number => numbers[index] ?? Infinity

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const changed = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(changed, at(row, j) + 1, at(next, j - 1) + 1))
    }
    row = next
  }
  return at(row, right.length)
}
