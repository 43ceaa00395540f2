import { describe, expect, test } from "@jest/globals"
import { createDocumentGate } from "../../../src/transport/graphql/document-gate.js"
import { DEFAULT_GRAPHQL_LIMITS } from "../../../src/transport/graphql/graphql-limits.js"

const admit = createDocumentGate(DEFAULT_GRAPHQL_LIMITS)
const nested = (levels: number, open: string, close: string, core: string) =>
  open.repeat(levels) + core + close.repeat(levels)
const doubling = (steps: number) =>
  `{ ...F0 } ${Array.from({ length: steps }, (_, step) => `fragment F${step} on Query { a: x { ...F${step + 1} } b: x { ...F${step + 1} } }`).join(" ")} fragment F${steps} on Query { y }`

describe("a document is refused", () => {
  test.each<[string, string]>([
    ["levels", nested(13, "{a", "}", "")],
    ["levels", `{ c ...A } fragment A on Q ${nested(13, "{a", "}", "")}`],
    ["aliases", `{ ${Array.from({ length: 31 }, (_, at) => `a${at}: x`).join(" ")} }`],
    ["repeats of one field", `{ ${"x ".repeat(11)} }`],
    ["repeats of one field", `{ ${"...A ".repeat(11)} } fragment A on Q { x }`],
    ["directives", `{ x ${"@include(if: true) ".repeat(51)} }`],
    ["root fields", `{ ${Array.from({ length: 31 }, (_, at) => `x${at}`).join(" ")} }`],
    ["levels of nested literals", `{ x(a: ${nested(33, "[", "]", "1")}) }`],
    ["levels of nested literals", `{ x(a: ${nested(33, "{a:", "}", "1")}) }`],
    ["fields with fragments expanded", doubling(11)],
    ["tokens", `{ ${"x ".repeat(2_001)} }`],
    ["characters", `{ x } #${"x".repeat(100_000)}`],
  ])("for its %s", (rule, text) => {
    expect(() => admit(text)).toThrow(
      expect.objectContaining({
        code: "cost_limit",
        details: expect.objectContaining({ extra: expect.objectContaining({ rule }) }),
      }),
    )
  })
})

describe("a document is admitted", () => {
  test.each([
    nested(12, "{a", "}", ""),
    doubling(8),
    "{ ...A } fragment A on Q { ...B } fragment B on Q { ...A }",
    "{ a { x } b { x } c { x } d { x } }",
  ])("that keeps to the limits: %.60s", (text) => {
    expect(admit(text)).toBe(admit(text))
  })
})

test("fragments that double thirty times are counted in no time", () => {
  expect(() => admit(doubling(30))).toThrow("than the")
})
