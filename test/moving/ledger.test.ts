import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "@jest/globals"
import { z } from "zod"
import { Ledger } from "../../src/moving/ledger.js"

test.each(["{", '{"count": "many"}'])("a ledger that holds %s is refused by its name", async (text) => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-ledger-"))
  try {
    writeFileSync(join(folder, "ledger.json"), text)
    const opened = Ledger.open(folder, z.object({ count: z.int() }), { count: 0 })
    await expect(opened).rejects.toThrow(`${join(folder, "ledger.json")} is no ledger of this version`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
