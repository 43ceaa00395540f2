/** A line of a comparison: it stayed, went or came. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new"
  readonly text: string
}

/** Comparing more pairs of lines than these would hold the page up; then all are shown as gone and new. */
const MAX_PAIRS = 1_000_000

const toKind = (kind: DiffLine["kind"]) => (text: string) => ({ kind, text })

/** Compares two texts line by line by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")]
  const first = old.findIndex((line, at) => line !== now[at])
  const start = first === -1 ? Math.min(old.length, now.length) : first
  let [oldEnd, nowEnd] = [old.length, now.length]
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1
    nowEnd -= 1
  }
  return [
    ...old.slice(0, start).map(toKind("same")),
    ...diffMiddle(old.slice(start, oldEnd), now.slice(start, nowEnd)),
    ...old.slice(oldEnd).map(toKind("same")),
  ]
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > MAX_PAIRS) return [...old.map(toKind("gone")), ...now.map(toKind("new"))]
  // Length of the longest common subsequence of what begins at each pair of lines.
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  const lengthAt = (a: number, b: number): number => lengths[a]?.[b] ?? 0
  for (let a = old.length - 1; a >= 0; a -= 1)
    for (let b = now.length - 1; b >= 0; b -= 1) {
      const row = lengths[a]
      if (row !== undefined)
        row[b] = old[a] === now[b] ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1))
    }
  const lines: DiffLine[] = []
  let [a, b] = [0, 0]
  while (a < old.length || b < now.length) {
    const [gone, come] = [old[a], now[b]]
    if (gone !== undefined && gone === come) {
      lines.push({ kind: "same", text: gone })
      a += 1
      b += 1
    } else if (come === undefined || (gone !== undefined && lengthAt(a + 1, b) >= lengthAt(a, b + 1))) {
      lines.push({ kind: "gone", text: gone ?? "" })
      a += 1
    } else {
      lines.push({ kind: "new", text: come })
      b += 1
    }
  }
  return lines
}
