import { describe, expect, test } from "@jest/globals"
import { tagReply, toEntityTag } from "../../../src/transport/wire/entity-tag.js"

const REPLY = { status: 200, headers: { "X-Query-State": "complete" }, body: { results: [1, 2] } }
const TAG = toEntityTag(JSON.stringify(REPLY.body))

describe("an answer to a reading request", () => {
  test("has a tag, and is kept by the caller alone", () => {
    expect(tagReply(REPLY, {})).toEqual({
      status: 200,
      headers: {
        "X-Query-State": "complete",
        "Content-Type": "application/json",
        ETag: TAG,
        "Cache-Control": "private, no-cache",
        Vary: "Accept-Encoding",
      },
      body: '{"results":[1,2]}',
    })
  })

  test.each([TAG, TAG.replace("W/", ""), `"other", ${TAG}`, "*"])("has no body for whoever has %s", (known) => {
    const { status, headers, body } = tagReply(REPLY, { "if-none-match": known })
    expect([status, headers?.ETag, headers?.["X-Query-State"], body]).toEqual([304, TAG, "complete", undefined])
  })

  test.each(['"other"', "nonsense", "", '"'])("is whole for whoever has %p", (known) => {
    expect(tagReply(REPLY, { "if-none-match": known }).status).toBe(200)
  })

  test("changes its tag with its body", () => {
    expect(tagReply({ ...REPLY, body: { results: [1, 3] } }, {}).headers?.ETag).not.toBe(TAG)
  })

  test.each([
    ["a refusal", { status: 404, body: { type: "invalid_request" } }],
    ["one with a tag of its own", { status: 200, headers: { ETag: '"7"' }, body: {} }],
    ["one without a body", { status: 200 }],
  ])("stays as it is: %s", (_title, reply) => {
    expect(tagReply(reply, { "if-none-match": "*" })).toBe(reply)
  })
})
