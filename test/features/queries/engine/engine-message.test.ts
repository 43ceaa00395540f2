import { describe, expect, test } from "@jest/globals"
import { toUserMessage } from "../../../../src/features/queries/engine/engine-message.js"

describe("what a user reads of an engine's refusal", () => {
  test("is its sentence without the SQL it quotes", () => {
    const message =
      "Illegal types String and UInt8 of arguments of function plus: In scope SELECT plus(t0.event, 1) AS a0 FROM (SELECT r.event AS event FROM events AS r WHERE equals(r.project_id, 7)) AS t0"
    expect(toUserMessage("ILLEGAL_TYPE_OF_ARGUMENT", message)).toBe(
      "'+' cannot take a text and a number: convert one of them, with toFloat or toString.",
    )
  })

  test.each([
    ["t0.event", "event"],
    ["t0.`$session_id`", "$session_id"],
    ["t12.person__properties", "person.properties"],
    ["t0.`session__$session_duration`", "session.$session_duration"],
  ])("names the field %s as it was written: %s", (printed, written) => {
    const message = (column: string) => `Column '${column}' is not under aggregate function and not in GROUP BY keys`
    expect(toUserMessage("NOT_AN_AGGREGATE", `${message(printed)}. In query SELECT ${printed} FROM events`)).toBe(
      `'${written}' is neither in GROUP BY nor inside of an aggregation such as count() or any().`,
    )
  })

  test("is the error's name when a name in it is one that we made up", () => {
    const message = "Column 't1.a0' is not under aggregate function and not in GROUP BY keys. In query SELECT t1.a0"
    expect(toUserMessage("NOT_AN_AGGREGATE", message)).toBe("The query cannot be run: not an aggregate.")
  })

  test("is the error's name when the sentence itself is about stored names", () => {
    const message = "Column r.project_id is not under aggregate function and not in GROUP BY keys"
    expect(toUserMessage("NOT_AN_AGGREGATE", message)).toBe("The query cannot be run: not an aggregate.")
  })

  test.each([
    ["Illegal types Float64 and UInt8 of arguments of function bitAnd", "'bitAnd' cannot take Float64 and UInt8."],
    ["Illegal types of arguments (`UUID`, `UInt8`) of function `equals`", "'=' cannot take a UUID and a number."],
    ["Illegal type (Nullable(String)) of 1 argument of function and", "'and' cannot take a text."],
    [
      "Illegal type String of first argument of function formatDateTime. Should be a date or a date with time",
      "'formatDateTime' cannot take a text. Should be a date or a date with time.",
    ],
    [
      "A value of illegal type was provided as 1st argument 'x' to function 'round'. Expected: A number to round, got: String",
      "'round' needs as its 1st argument: a number to round, not a text.",
    ],
    [
      "There is no supertype for types String, Array(UInt8) because some of them are String and some of them are not",
      "A text and a list cannot stand for one value.",
    ],
    [
      "OptimizedRegularExpression: cannot compile re2: a(, error: missing ): a(. Look at https://github.com/google/re2/wiki/Syntax for reference",
      "'a(' is no regular expression: missing ): a(.",
    ],
    [
      "Scalar subquery returned more than one row",
      "A subquery that stands for one value gave more than one row: write LIMIT 1, or IN (SELECT …).",
    ],
    ["Indices in strings are 1-based", "Indices in strings are 1-based."],
  ])("is said in plain words: %s", (sentence, plain) => {
    expect(toUserMessage("ANY", sentence)).toBe(plain)
  })
})
