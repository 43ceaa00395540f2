import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "@jest/globals"
import { readOrMakeKeyFile } from "../../../src/platform/encryption/key-file.js"
import { createTextCipher, isEncrypted, readEncryptionKey } from "../../../src/platform/encryption/text-cipher.js"

const [key, other] = [randomBytes(32), randomBytes(32)]

describe("encrypted texts", () => {
  const cipher = createTextCipher([key])

  test("are read with the same key for the same purpose, and never look alike", () => {
    const [one, two] = [cipher.encrypt("häst \u{1f40e}", "a"), cipher.encrypt("häst \u{1f40e}", "a")]
    expect([cipher.decrypt(one, "a"), cipher.decrypt(two, "a")]).toEqual(["häst \u{1f40e}", "häst \u{1f40e}"])
    expect(one).not.toBe(two)
    expect([isEncrypted(one), isEncrypted("häst")]).toEqual([true, false])
  })

  test("are not read for another purpose, with another key, or once a byte was changed", () => {
    const sealed = cipher.encrypt("secret", "a")
    const changed = sealed.replace(/.$/, (last) => (last === "A" ? "Q" : "A"))
    expect(cipher.decrypt(sealed, "b")).toBeNull()
    expect(createTextCipher([other]).decrypt(sealed, "a")).toBeNull()
    for (const bad of [changed, `${sealed.slice(0, 25)}`, "secret", "encrypted:1:", "encrypted:1:00000000:AAAA"])
      expect(cipher.decrypt(bad, "a")).toBeNull()
  })

  test("are read with an older key after a new one was put before it", () => {
    const sealed = cipher.encrypt("secret", "a")
    const rotated = createTextCipher([other, key])
    expect(rotated.decrypt(sealed, "a")).toBe("secret")
    expect(cipher.decrypt(rotated.encrypt("new", "a"), "a")).toBeNull()
  })

  test("have keys of 32 bytes in hexadecimal digits or base64, and no others", () => {
    expect(readEncryptionKey(key.toString("hex"))).toEqual(key)
    expect(readEncryptionKey(key.toString("base64"))).toEqual(key)
    expect(readEncryptionKey(key.toString("base64url"))).toEqual(key)
    for (const bad of ["", "short", key.toString("hex").slice(2), `${key.toString("base64")}AAAA`, "ö".repeat(32)])
      expect(readEncryptionKey(bad)).toBeNull()
  })
})

describe("the file of a key", () => {
  const directory = mkdtempSync(join(tmpdir(), "waymark-key-"))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test("is made once, for its owner only, and read ever after", () => {
    const path = join(directory, "key")
    const [made, ...others] = readOrMakeKeyFile(path)
    expect([made.length, others]).toEqual([32, []])
    expect(readOrMakeKeyFile(path)).toEqual([made])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(["key"])
  })

  test("is not replaced when it holds something else", () => {
    const path = join(directory, "damaged")
    writeFileSync(path, "nothing")
    expect(() => readOrMakeKeyFile(path)).toThrow("holds something else than keys")
  })

  test("may hold several, the one that encrypts in its first line", () => {
    const path = join(directory, "several")
    writeFileSync(path, `${key.toString("hex")}\n${other.toString("base64")}\n`)
    expect(readOrMakeKeyFile(path)).toEqual([key, other])
    writeFileSync(path, `${key.toString("hex")}\nnothing\n`)
    expect(() => readOrMakeKeyFile(path)).toThrow("holds something else than keys")
  })
})
