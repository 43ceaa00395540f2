import { randomBytes } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import { readEnvironment } from "../../src/app/environment.js"

const [key, older] = [randomBytes(32), randomBytes(32)]

describe("the keys of encrypted payloads", () => {
  test("come from the environment as a list whose first one encrypts", () => {
    const text = `${key.toString("base64")}, ${older.toString("hex")}`
    expect(readEnvironment({ FLAG_PAYLOAD_KEYS: text }).flagPayloadKeys).toEqual([key, older])
    expect(readEnvironment({}).flagPayloadKeys).toBeNull()
  })

  test("that cannot be used are a fault of the configuration that does not show them", () => {
    const read = () => readEnvironment({ FLAG_PAYLOAD_KEYS: `${key.toString("hex")},not-a-key` })
    expect(read).toThrow("FLAG_PAYLOAD_KEYS must be a comma list of keys of 32 bytes")
    expect(read).not.toThrow("not-a-key")
  })
})
