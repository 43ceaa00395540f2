import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { type AttackReport, runAttack } from "./attack-run.js"
import { ATTACKS, findAttack } from "./attacks/index.js"
import { describe, toMarkdown } from "./report.js"

/**
 * Attacks a server, each time a new one, and measures what a neighbour notices (docs/abuse.md).
 * `bench/abuse/main.ts [--only name,name] [--seconds 20] [--quiet 8] [--dist CHECKOUT] [--results FILE] [--list]`
 *
 * `--dist` runs the server of another built checkout; `--results` adds each result to a file as it comes and takes what is
 * already there into the table.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "20" },
    quiet: { type: "string", default: "8" },
    dist: { type: "string" },
    results: { type: "string" },
    list: { type: "boolean", default: false },
  },
})

const attacks = options.only === undefined ? ATTACKS : options.only.split(",").map(findAttack)

async function runAll(): Promise<void> {
  const { results, dist } = options
  const reports = new Map<string, AttackReport>()
  for (const report of results === undefined ? [] : readReports(results)) reports.set(report.attack, report)
  for (const attack of attacks) {
    try {
      const report = await runAttack(attack, {
        attackSeconds: Number(options.seconds),
        quietSeconds: Number(options.quiet),
        ...(dist !== undefined && { checkout: resolve(dist) }),
      })
      process.stdout.write(`${describe(report)}\n`)
      if (results !== undefined) appendFileSync(results, `${JSON.stringify(report)}\n`)
      reports.set(report.attack, report)
    } catch (failure) {
      process.stdout.write(`${attack.name} could not be measured: ${String(failure)}\n\n`)
      process.exitCode = 1
    }
  }
  process.stdout.write(toMarkdown(ATTACKS.flatMap(({ name }) => reports.get(name) ?? [])))
}

function readReports(file: string): AttackReport[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, "utf8").trim().split("\n")
  return lines.map((line) => JSON.parse(line) as AttackReport)
}

if (options.list)
  for (const { name, needs, what } of attacks) process.stdout.write(`${name} (needs ${needs}): ${what}\n`)
else await runAll()
