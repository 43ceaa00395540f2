import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"

const projectRoot = process.cwd()

describe("the build", () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-build-"))
  const source = join(root, "src/main.ts")
  const compiled = join(root, "dist/main.js")
  const page = join(root, "console/index.html")
  const build = () => execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "pipe" })
  const compiledText = () => readFileSync(compiled, "utf8")

  beforeAll(() => {
    mkdirSync(join(root, "src"))
    mkdirSync(join(root, "console"))
    writeFileSync(page, "<h1>first</h1>")
    for (const file of ["scripts", "tsconfig.json", "tsconfig.build.json", "console/vite.config.ts"])
      cpSync(join(projectRoot, file), join(root, file), { recursive: true })
    symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"))
    writeFileSync(join(root, "package.json"), '{ "type": "module" }')
    writeFileSync(source, "export const value: number = 1\n")
    build()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test("compiles nothing when no source has changed", () => {
    writeFileSync(compiled, "// not compiled again")
    build()
    expect(compiledText()).toBe("// not compiled again")
  })

  test("compiles a source that has changed, however old its time says it is", () => {
    writeFileSync(source, "export const value: number = 2\n")
    utimesSync(source, 0, 0)
    build()
    expect(compiledText()).toContain("value = 2")
  })

  test("bundles the console, again only when it has changed", () => {
    const bundled = join(root, "dist/console/index.html")
    expect(readFileSync(bundled, "utf8")).toContain("first")
    writeFileSync(bundled, "not bundled again")
    build()
    expect(readFileSync(bundled, "utf8")).toBe("not bundled again")
    writeFileSync(page, "<h1>second</h1>")
    build()
    expect(readFileSync(bundled, "utf8")).toContain("second")
  })

  test("fails for a source that does not compile, and again until it does", () => {
    writeFileSync(source, 'export const value: number = "text"\n')
    for (let attempt = 0; attempt < 2; attempt++) expect(build).toThrow()
    writeFileSync(source, "export const value: number = 3\n")
    build()
    expect(compiledText()).toContain("value = 3")
  })
})
