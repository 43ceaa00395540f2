import { describe, expect, test } from "@jest/globals"
import { readTarget } from "../../../src/features/scheduled-exports/manage/read-target.js"
import {
  isPublicAddress,
  lookUpPublic,
  requirePublicHost,
} from "../../../src/features/scheduled-exports/targets/public-address.js"

const BUCKET = {
  endpoint: "https://s3.eu-central-1.amazonaws.com",
  region: "eu-central-1",
  bucket: "our-events",
  accessKeyId: "AKIA",
  secretAccessKey: "secret",
}
const OK = expect.anything()
const attrOf = (attr: string) => expect.objectContaining({ details: expect.objectContaining({ attr }) })

function read(field: string, value: string): unknown {
  try {
    return readTarget({ s3: { ...BUCKET, [field]: value } }, false)
  } catch (fault) {
    return fault
  }
}

describe("the target of an export", () => {
  test("is read with nothing but what it is", () => {
    expect(readTarget({ s3: { ...BUCKET, prefix: "a/b=1" } }, false)).toEqual({
      secret: "secret",
      target: {
        kind: "s3",
        endpoint: BUCKET.endpoint,
        region: BUCKET.region,
        bucket: BUCKET.bucket,
        accessKeyId: "AKIA",
        prefix: "a/b=1",
      },
    })
    expect(readTarget({ folder: {} }, false).target).toMatchObject({ kind: "folder", prefix: "", bucket: null })
  })

  test.each([
    "..",
    "../other",
    "a/../b",
    "a/./b",
    "/etc",
    "a//b",
    "a/",
    "a\\b",
    "a b",
    "a\u0000b",
    "%2e%2e",
    "ß",
    "a\n",
    "x".repeat(201),
  ])("has no prefix %j, which might lead elsewhere", (prefix) => {
    expect(() => readTarget({ folder: { prefix } }, false)).toThrow(/prefix must be/)
    expect(read("prefix", prefix)).toEqual(attrOf("target__s3__prefix"))
  })

  test.each([
    ["endpoint", "http://s3.example.com"],
    ["endpoint", "https://user:password@s3.example.com"],
    ["endpoint", "https://s3.example.com/path"],
    ["endpoint", "https://s3.example.com?x"],
    ["endpoint", "https://s3.example.com#x"],
    ["endpoint", "file:///etc/passwd"],
    ["endpoint", "s3.example.com"],
    ["region", "eu central"],
    ["region", "x\r\nhost: y"],
    ["bucket", "../other"],
    ["bucket", "a/b"],
    ["bucket", "a..b"],
    ["bucket", "AB"],
    ["accessKeyId", "a\nb"],
    ["secretAccessKey", "a b"],
    ["secretAccessKey", ""],
  ])("has no %s %j", (field, value) => {
    expect(read(field, value)).toEqual(attrOf(`target__s3__${field}`))
  })

  test("may do without TLS only where private addresses are allowed", () => {
    expect(readTarget({ s3: { ...BUCKET, endpoint: "http://127.0.0.1:9000" } }, true)).toEqual(OK)
  })
})

describe("an address that an export writes to", () => {
  test.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "fe80::1",
    "fc00::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "ff02::1",
  ])("is not public when it is %s", (address) => {
    expect(isPublicAddress(address)).toBe(false)
    const host = address.includes(":") ? `[${address}]` : address
    expect(() => requirePublicHost(host)).toThrow(/private network/)
  })

  test.each(["8.8.8.8", "52.219.170.10", "172.32.0.1", "2606:4700::1111", "2a05:d050::1"])("may be %s", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test("is refused where a name of it is resolved to a private one", async () => {
    const looked = await new Promise((resolve) => {
      lookUpPublic("localhost", {}, (failure) => resolve(failure?.message))
    })
    expect(looked).toMatch(/private network/)
  })

  test.each(["https://2130706433", "https://0x7f.1", "https://0177.0.0.1", "https://127.1"])(
    "is known however it is written: %s",
    (endpoint) => {
      const { hostname } = new URL(endpoint)
      expect(() => requirePublicHost(hostname)).toThrow(/private network/)
    },
  )
})
