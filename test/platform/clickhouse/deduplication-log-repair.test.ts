import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals"
import { repairDeduplicationLogs } from "../../../src/platform/embedded/clickhouse-child/deduplication-log-repair.js"

describe("repairing the deduplication logs of a crashed engine", () => {
  let dataDirectory: string
  const table = () => join(dataDirectory, "store/abc/abcdef00-0000-0000-0000-000000000000")
  const log = (number: number) => join(table(), "deduplication_logs", `deduplication_log_${number}.txt`)
  beforeEach(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), "waymark-repair-"))
    mkdirSync(join(table(), "deduplication_logs"), { recursive: true })
  })
  afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const makeParts = (...names: string[]) => {
    for (const name of names) mkdirSync(join(table(), name))
  }

  test("takes out tokens whose rows are not on disk, wherever they stand, and keeps the others", () => {
    makeParts("202601_1_1_0", "202601_4_9_2", "202602_2_2_0_12", "tmp_insert_202602_3_3_0")
    const kept = ["1\t202601_1_1_0\ta", "1\t202602_2_2_0\tb", "1\t202601_5_5_0\tc"]
    writeFileSync(log(1), `${kept[0]}\n1\t202602_3_3_0\tlost\n${kept[1]}\n`)
    writeFileSync(log(2), `${kept[2]}\n1\t202602_10_10_0\tlost too\n`)
    expect(repairDeduplicationLogs(dataDirectory)).toBe(2)
    expect(readFileSync(log(1), "utf8")).toBe(`${kept[0]}\n${kept[1]}\n`)
    expect(readFileSync(log(2), "utf8")).toBe(`${kept[2]}\n`)
    expect(repairDeduplicationLogs(dataDirectory)).toBe(0)
  })

  test("leaves dropped parts and files without faults alone", () => {
    makeParts("all_2_2_0")
    const text = "1\tall_1_1_0\ta\n1\tall_2_2_0\tb\n2\tall_1_1_0\ta\n"
    writeFileSync(log(1), text)
    expect(repairDeduplicationLogs(dataDirectory)).toBe(0)
    expect(readFileSync(log(1), "utf8")).toBe(text)
  })

  test("does nothing where there is nothing yet", () => {
    expect(repairDeduplicationLogs(join(dataDirectory, "absent"))).toBe(0)
    expect(repairDeduplicationLogs(dataDirectory)).toBe(0)
  })
})
