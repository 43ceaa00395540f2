import { describe, expect, test } from "@jest/globals"
import type { RowKey } from "../../../src/kernel/list-order.js"
import {
  BY_ID,
  NEWEST_FIRST,
  type SqlOrderColumn,
  toBeyondSql,
  toOrderColumn,
  toOrderSql,
} from "../../../src/platform/postgres/sql-order.js"

/** The condition, with its values in the order in which they were bound. */
function conditionOf(order: readonly SqlOrderColumn[], key: RowKey, isBackward: boolean) {
  const values: unknown[] = []
  return { sql: toBeyondSql(order, key, isBackward, (value) => `$${values.push(value)}`), values }
}

const BY_NAME = [toOrderColumn("label", "text", { isNullable: true, maxCharacters: 9 }), BY_ID]

describe("the order of a list in SQL", () => {
  test("names its columns, and is turned round to be read backward", () => {
    expect(toOrderSql(NEWEST_FIRST, false)).toBe("created_at DESC, id DESC")
    expect(toOrderSql(NEWEST_FIRST, true)).toBe("created_at ASC, id ASC")
    expect(toOrderSql(BY_NAME, false)).toBe("left(label, 9) ASC, id ASC")
  })

  test("goes on beyond a key by an index, binding values in the order in which they stand", () => {
    expect(conditionOf(NEWEST_FIRST, [0, 7], false)).toEqual({
      sql:
        "(created_at <= $1::timestamptz AND ((created_at < $2::timestamptz) OR " +
        "(created_at = $3::timestamptz AND id < $4::bigint)))",
      values: ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", 7],
    })
  })

  test.each<[RowKey, boolean, string]>([
    [
      ["a", 7],
      false,
      "((left(label, 9) > $1::text) OR (left(label, 9) IS NULL) OR (left(label, 9) = $2::text AND id > $3::bigint))",
    ],
    [["a", 7], true, "((left(label, 9) < $1::text) OR (left(label, 9) = $2::text AND id < $3::bigint))"],
    [[null, 7], false, "((left(label, 9) IS NULL AND id > $1::bigint))"],
    [[null, 7], true, "((left(label, 9) IS NOT NULL) OR (left(label, 9) IS NULL AND id < $1::bigint))"],
  ])("counts a null as larger than every text, %j %s", (key, isBackward, sql) => {
    expect(conditionOf(BY_NAME, key, isBackward).sql).toBe(sql)
  })
})
