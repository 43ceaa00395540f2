// Lists what in schema.graphql differs from a commit, the last one unless another is named, in a way that clients notice:
// `node scripts/schema-diff.mjs [commit]`. Ends with 1 when a change would break a client (see `docs/graphql.md`).
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql"

const FILE = "schema.graphql"
const [commit = "HEAD"] = process.argv.slice(2)

const root = new URL("..", import.meta.url)
const before = buildSchema(execFileSync("git", ["show", `${commit}:${FILE}`], { cwd: root, encoding: "utf8" }))
const after = buildSchema(readFileSync(new URL(FILE, root), "utf8"))

const breaking = findBreakingChanges(before, after)
const list = (kind, changes) => changes.map(({ type, description }) => `${kind} ${type}: ${description}\n`)
const lines = [...list("breaking", breaking), ...list("dangerous", findDangerousChanges(before, after))]
process.stdout.write(lines.join("") || `${FILE} breaks nothing that worked at ${commit}.\n`)
process.exitCode = breaking.length > 0 ? 1 : 0
