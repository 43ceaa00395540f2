import { describe, expect, test } from "@jest/globals"
import { retryOnConflict } from "../../src/kernel/retry-on-conflict.js"

describe("a write that others may be before", () => {
  test("is repeated until it is the first", async () => {
    const answers = [null, null, "written", "never asked for"]
    expect(await retryOnConflict(async () => answers.shift() ?? null)).toBe("written")
    expect(answers).toEqual(["never asked for"])
  })

  test("is given up as a conflict when others always are", async () => {
    const lost = retryOnConflict(async () => null, { attr: "version" })
    await expect(lost).rejects.toMatchObject({ code: "conflict", details: { attr: "version" } })
  })

  test("is not repeated when it fails", async () => {
    let attempts = 0
    const failing = retryOnConflict(async () => {
      attempts++
      throw new Error("away")
    })
    await expect(failing).rejects.toThrow("away")
    expect(attempts).toBe(1)
  })
})
