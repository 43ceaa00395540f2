import { describe, expect, test } from "@jest/globals"
import type { AppError } from "../../../src/kernel/errors.js"
import { Permits } from "../../../src/platform/limits/permits.js"

function createPermits(total: number, perHolder: number) {
  let refusals = 0
  const onRefused = () => {
    refusals++
  }
  const permits = new Permits({ what: "streams", holder: "project", total, perHolder, onRefused })
  return { permits, refusals: () => refusals }
}

function refusalOf(take: () => unknown): AppError | null {
  try {
    take()
    return null
  } catch (refusal) {
    return refusal as AppError
  }
}

describe("permits", () => {
  test("one holder gets no more than its share, and the others still find some", () => {
    const { permits, refusals } = createPermits(10, 2)
    permits.take("a")
    permits.take("a")
    const refusal = refusalOf(() => permits.take("a"))
    expect(refusal).toMatchObject({ code: "rate_limited", message: "One project has at most 2 streams at a time." })
    expect(refusal?.details.retryAfterSeconds).toBeGreaterThan(0)
    expect(refusalOf(() => permits.take("b"))).toBeNull()
    expect([permits.taken, refusals()]).toEqual([3, 1])
  })

  test("all holders together get no more than there are", () => {
    const { permits } = createPermits(2, 2)
    permits.take("a")
    permits.take("b")
    expect(refusalOf(() => permits.take("c"))).toMatchObject({ code: "overloaded" })
  })

  test("one that is given back is another's, and is given back once only", () => {
    const { permits } = createPermits(1, 1)
    const giveBack = permits.take("a")
    giveBack()
    giveBack()
    permits.take("b")
    expect(permits.taken).toBe(1)
    expect(refusalOf(() => permits.take("a"))).toMatchObject({ code: "overloaded" })
  })
})
