import { describe, expect, test } from "@jest/globals"
import { readDistinctIds } from "../../../src/transport/rest/read-csv.js"

describe("distinct ids in CSV", () => {
  test.each<[string, string, string[]]>([
    ["one id a line", "a\nb\n", ["a", "b"]],
    ["no last line end", "a\r\nb", ["a", "b"]],
    ["a column by its head", "name,distinct_id\nAda,a\nGrace,b\n", ["a", "b"]],
    ["a head in other letters", "\uFEFFDistinct ID\na\n", ["a"]],
    ["semicolons, as spreadsheets of many countries write them", 'name;distinct_id\nÅsa;a\n"Li;u";b,1\n', ["a", "b,1"]],
    ["tabs, as copied tables have them", '"name"\t"distinct_id"\nAda\ta\n', ["a"]],
    ["semicolons in ids without a head", "a;1\nb;2\n", ["a;1", "b;2"]],
    ["a head alone", "distinct_id\n", []],
    ["the first column without a head", "a,1\nb,2\n", ["a", "b"]],
    [
      "quotes, with commas, quotes and line ends inside",
      'distinct_id\n"a,1"\n"b ""x"""\n"c\nd"\n',
      ["a,1", 'b "x"', "c\nd"],
    ],
    ["empty lines and blanks", "\n a \n\n,\n", ["a"]],
    ["short rows", "name,distinct_id\nAda\nGrace,b", ["b"]],
    ["nothing", "", []],
    ["a last cell that is empty", "a,", ["a"]],
  ])("with %s", (_, text, ids) => {
    expect(readDistinctIds(text, "csv")).toEqual(ids)
  })

  test("with a quoted cell that does not end is refused by the field", () => {
    expect(() => readDistinctIds('a\n"b', "csv")).toThrow("csv has a quoted cell that does not end.")
  })
})
