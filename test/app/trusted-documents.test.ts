import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "@jest/globals"
import { buildSchema } from "graphql"
import { readTrustedDocuments } from "../../src/app/read-trusted-documents.js"

const SCHEMA = buildSchema("type Query { name: String }")

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "trusted-")), "documents.json")
  writeFileSync(path, text)
  return path
}

const read = (text: string) => readTrustedDocuments(fileWith(text), true, SCHEMA)

describe("the list of trusted documents", () => {
  test("is texts by name", () => {
    const documents = { name: "{ name }", "sha256:0a": "query Name { name }" }
    expect(read(JSON.stringify(documents))).toEqual({ documents, isExclusive: true })
  })

  test("is empty where none is named", () => {
    expect(readTrustedDocuments(null, false, SCHEMA)).toEqual({ documents: {}, isExclusive: false })
  })

  test.each([
    ['{"a":"{ nope }"}', 'a does not fit the schema: Cannot query field "nope"'],
    ['{"a":"{"}', "a does not fit the schema: Syntax Error"],
    ['{"a":1}', "must name a JSON file of document texts by name"],
    ["[", "must name a JSON file of document texts by name"],
  ])("keeps the server from starting when it is wrong: %s", (text, fault) => {
    expect(() => read(text)).toThrow(fault)
  })

  test("keeps the server from starting when it cannot be read", () => {
    expect(() => readTrustedDocuments("/nowhere/documents.json", true, SCHEMA)).toThrow("TRUSTED_DOCUMENTS must name")
  })
})
