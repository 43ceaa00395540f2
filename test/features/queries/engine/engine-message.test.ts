import { describe, expect, test } from "@jest/globals"
import { toUserMessage } from "../../../../src/features/queries/engine/engine-message.js"

describe("what a user reads of an engine's refusal", () => {
  test("is its sentence without the SQL it quotes", () => {
    const message =
      "Illegal types String and UInt8 of arguments of function plus: In scope SELECT plus(t0.event, 1) AS a0 FROM (SELECT r.event AS event FROM events AS r WHERE equals(r.project_id, 7)) AS t0"
    expect(toUserMessage("ILLEGAL_TYPE_OF_ARGUMENT", message)).toBe(
      "Illegal types String and UInt8 of arguments of function plus.",
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
      `${message(written)}.`,
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
})
