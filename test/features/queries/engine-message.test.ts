import { describe, expect, test } from "@jest/globals"
import { toUserMessage } from "../../../src/features/queries/engine-message.js"

describe("what a user reads of an engine's refusal", () => {
  test("is its sentence without the SQL it quotes", () => {
    const message =
      "Illegal types String and UInt8 of arguments of function plus: In scope SELECT plus(t0.event, 1) AS a0 FROM (SELECT r.event AS event FROM events AS r WHERE equals(r.project_id, 7)) AS t0"
    expect(toUserMessage("ILLEGAL_TYPE_OF_ARGUMENT", message)).toBe(
      "Illegal types String and UInt8 of arguments of function plus.",
    )
  })

  test("is the error's name when the sentence itself is about stored names", () => {
    const message = "Column r.project_id is not under aggregate function and not in GROUP BY keys"
    expect(toUserMessage("NOT_AN_AGGREGATE", message)).toBe("The query cannot be run: not an aggregate.")
  })
})
