import { describe, expect, test } from "@jest/globals"
import { draftFromWords } from "../../../src/features/queries/draft-words.js"

const known = {
  events: ["$pageview", "sign_up", "it's odd"],
  eventProperties: ["$browser", "utm source", "we`ird"],
  personProperties: ["plan"],
}
const draft = (words: string) => draftFromWords(words, known).split("\n")

describe("a draft for words", () => {
  test.each([
    [
      "Pageviews by browser per week",
      ["toStartOfWeek(timestamp) AS week", "properties.`$browser`"],
      "event IN ('$pageview')",
    ],
    ["daily sign up by plan", ["toStartOfDay(timestamp) AS day", "person.properties.`plan`"], "event IN ('sign_up')"],
    ["how often it's odd each hour", ["toStartOfHour(timestamp) AS hour"], "event IN ('it\\'s odd')"],
    ["anything at all", ["toStartOfDay(timestamp) AS day"], "WHERE timestamp >"],
    ["which utm source is best", ["properties.`utm source`"], "WHERE timestamp >"],
    ["top events", ["event"], "WHERE timestamp >"],
  ])("%s", (words, keys, condition) => {
    const [select, , where] = draft(words)
    expect(select).toBe(`SELECT ${keys.join(", ")}, count() AS events, count(DISTINCT person_id) AS persons`)
    expect(where).toContain(condition)
  })

  test("never puts the words themselves into the text", () => {
    expect(draft("we`ird ') OR 1=1 --").join(" ")).not.toMatch(/ird|1=1|--/)
  })
})
