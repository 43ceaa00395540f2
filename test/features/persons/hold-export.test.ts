import { expect, test } from "@jest/globals"
import { holdExport } from "../../../src/features/persons/hold-export.js"
import type { Principal, RequestContext } from "../../../src/kernel/request-context.js"
import { Permits } from "../../../src/platform/limits/permits.js"

const permits = (total: number) =>
  new Permits({ what: "exports", total, perHolder: 1, holder: "key", onRefused: () => undefined })

/** A request with a key, and what ends its answer. */
function requestOf(keyId: string) {
  const releases: (() => void)[] = []
  const context = {
    principal: { keyId } as Principal,
    onAnswered: (release: () => void) => void releases.push(release),
  }
  const answered = (): void => {
    for (const release of releases) release()
  }
  return { context: context as unknown as RequestContext, answered }
}

test("a key has one export until its answer has left", () => {
  const exports = permits(4)
  const first = requestOf("a")
  holdExport(exports, first.context)
  expect(() => holdExport(exports, requestOf("a").context)).toThrow(expect.objectContaining({ code: "rate_limited" }))
  holdExport(exports, requestOf("b").context)
  first.answered()
  holdExport(exports, requestOf("a").context)
})

test("all keys together have so many", () => {
  const exports = permits(2)
  for (const keyId of ["a", "b"]) holdExport(exports, requestOf(keyId).context)
  expect(() => holdExport(exports, requestOf("c").context)).toThrow(expect.objectContaining({ code: "overloaded" }))
})

test("there is none on a socket, which has no end of an answer", () => {
  const exports = permits(1)
  const { onAnswered: _absent, ...context } = requestOf("a").context
  expect(() => holdExport(exports, context)).toThrow(/over HTTP/)
  expect(exports.taken).toBe(0)
})
