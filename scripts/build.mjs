/**
 * Compiles src into dist, and console into dist/console, each unless it was made from exactly these files: names and contents
 * are hashed, so neither a checkout nor a copy with old times leaves a stale dist. Hashing takes 50 ms where the compiler takes
 * 500 to see the same. Plain JavaScript, because the Node that only runs npm may be too old for TypeScript.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { resolve } = createRequire(import.meta.url)

function listFiles(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .map((name) => join(root, folder, name))
    .sort()
}

function hashFiles(files) {
  const hash = createHash("sha256")
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}

/** Runs a command of a package unless its result, marked by `keyFile`, was made from `files`. */
function make(keyFile, files, command) {
  const wanted = hashFiles(files)
  if (existsSync(keyFile) && readFileSync(keyFile, "utf8") === wanted) return
  rmSync(keyFile, { force: true })
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" })
  if (status === 0) writeFileSync(keyFile, wanted)
  else process.exitCode = 1
}

// Every script runs by this link, which the npm of Debian 13 (9.2) does not make.
const [link, program] = [join(root, "node_modules/.bin/node"), `node-linux-${process.arch}/bin/node`]
if (!existsSync(link) && existsSync(join(root, "node_modules", program))) symlinkSync(join("..", program), link)

const compiler = resolve("typescript/package.json")
make(
  join(root, "dist/.compiled-from"),
  [...listFiles("src", /\.ts$/), join(root, "tsconfig.json"), join(root, "tsconfig.build.json"), compiler],
  [join(dirname(compiler), "bin/tsc"), "-p", "tsconfig.build.json"],
)

const bundler = resolve("vite/package.json")
make(
  join(root, "dist/console/.built-from"),
  [...listFiles("console", /^(?!.*generated).*\.(tsx?|css|html)$/), bundler, resolve("graphiql/package.json")],
  [join(dirname(bundler), "bin/vite.js"), "build", "--config", "console/vite.config.ts"],
)

// What the package of PostgreSQL leaves to an install script: who runs the server may have no right to write there.
const postgres = join(root, "dist/platform/embedded/embedded-postgres-runtime.js")
if (existsSync(postgres)) (await import(postgres)).linkInstalledLibraries()
