import { describe, expect, test } from "@jest/globals"
import { readGlobalId, toGlobalId } from "../../../../src/transport/graphql/shape/global-id.js"

describe("an id of the graph", () => {
  test.each([
    { type: "Person", projectId: 7, key: "0199a000-0000-7000-8000-00000000c101" },
    { type: "Organization", projectId: null, key: "0199a000-0000-7000-8000-00000000c101" },
    { type: "SessionRecording", projectId: 2_147_483_647, key: "sitzung:ä:🎈" },
  ])("is read as it was made: %j", (id) => {
    expect(readGlobalId(toGlobalId(id))).toEqual(id)
    expect(toGlobalId(id)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test.each([
    ["a number", "12"],
    ["a UUID", "0199a000-0000-7000-8000-00000000c101"],
    ["a short id", "aBcD1234"],
    ["nothing", ""],
    ["another writing of an id", `${toGlobalId({ type: "Cohort", projectId: 1, key: "5" })}=`],
    ["an id without a key", Buffer.from("Cohort:1:").toString("base64url")],
    ["an id of a project that cannot be", Buffer.from("Cohort:01:5").toString("base64url")],
    ["a text that is too long", toGlobalId({ type: "Cohort", projectId: 1, key: "5".repeat(2_000) })],
  ])("is not %s", (_what, text) => {
    expect(readGlobalId(text)).toBeNull()
  })
})
