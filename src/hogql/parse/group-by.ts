import { syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type { Expression, Select } from "../nodes/nodes.js"
import { readExpressions, readList } from "./lists.js"
import type { TokenReader } from "./token-reader.js"

type Groups = Pick<Select, "groupBy" | "groupMode">

/** Reads GROUP BY in all its forms: a list, ALL, CUBE, ROLLUP (before the list or behind it) and GROUPING SETS. */
export function readGroupBy(reader: TokenReader): Groups {
  if (!reader.takeWords("group", "by")) {
    const place = reader.peek()
    refuseTotals(reader)
    if (readModeBehind(reader) !== null) throw syntaxError("WITH CUBE and WITH ROLLUP need a GROUP BY.", place)
    return { groupBy: [], groupMode: null }
  }
  const groups = readGroups(reader)
  const mode = readModeBehind(reader)
  refuseTotals(reader)
  if (mode === null) return groups
  if (groups.groupMode === null) return { ...groups, groupMode: mode }
  throw syntaxError("GROUP BY takes one of ALL, CUBE, ROLLUP and GROUPING SETS.", reader.peek())
}

function readGroups(reader: TokenReader): Groups {
  const isAll = reader.isWord("all") && !reader.isSign(",", 1) && !reader.isSign("(", 1) && !reader.isSign(".", 1)
  if (isAll) {
    reader.next()
    return { groupBy: [], groupMode: "all" }
  }
  if (reader.takeWords("grouping", "sets")) return { groupBy: readSets(reader), groupMode: "sets" }
  for (const mode of ["cube", "rollup"] as const) {
    if (!reader.isWord(mode) || !reader.isSign("(", 1)) continue
    reader.next()
    return { groupBy: reader.enclosed("()", () => readExpressions(reader)), groupMode: mode }
  }
  return { groupBy: readExpressions(reader), groupMode: null }
}

/** `((a, b), a, ())`: each set as a tuple, the empty one for the total. */
const readSets = (reader: TokenReader): Expression[] =>
  reader.enclosed("()", () =>
    readList(reader, () => {
      const from = reader.index
      if (!reader.isSign("(")) return make.tuple([reader.rules.expression(reader)], reader.span(from))
      const items = reader.enclosed("()", () => (reader.isSign(")") ? [] : readExpressions(reader)))
      return make.tuple(items, reader.span(from))
    }),
  )

function readModeBehind(reader: TokenReader): "cube" | "rollup" | null {
  if (reader.takeWords("with", "cube")) return "cube"
  return reader.takeWords("with", "rollup") ? "rollup" : null
}

function refuseTotals(reader: TokenReader): void {
  if (!reader.isWord("with") || !reader.isWord("totals", 1)) return
  throw syntaxError("WITH TOTALS is not supported: GROUP BY ROLLUP(…) gives the totals as rows.", reader.peek())
}
