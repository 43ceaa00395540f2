import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findFreePort } from "./find-free-port.js"
import { waitFor } from "./wait-for.js"
import { temporaryDirectory } from "./waymark-process.js"

const BINARY = "/usr/bin/prometheus"
const RULES = "deploy/prometheus/rules.yml"

/** A Prometheus of our own with the rules that Waymark is delivered with, whose alerts fire at once. */
export interface PrivatePrometheus {
  /** Names of the alerts that fire. */
  firing(): Promise<string[]>
  stop(): Promise<void>
}

/** Whether tests with Prometheus can run here; says plainly when they cannot. */
export function hasPrometheus(): boolean {
  if (existsSync(BINARY)) return true
  console.warn(`SKIPPED: tests of alerts, because there is no ${BINARY}`)
  return false
}

/** Starts Prometheus, which asks the server at `url` for its metrics every second. */
export async function startPrivatePrometheus(url: string): Promise<PrivatePrometheus> {
  const { path, remove } = temporaryDirectory()
  writeFileSync(join(path, "rules.yml"), readFileSync(RULES, "utf8").replaceAll(/for: \d+m/g, "for: 0s"))
  writeFileSync(
    join(path, "prometheus.yml"),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: waymark
    static_configs: [{ targets: ["${new URL(url).host}"] }]
`,
  )
  const address = `127.0.0.1:${await findFreePort()}`
  const child = spawn(
    BINARY,
    [
      `--config.file=${join(path, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(path, "data")}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: "ignore" },
  )
  const ended = new Promise((resolve) => child.once("exit", resolve))
  await waitFor("Prometheus to be ready", () => fetch(`http://${address}/-/ready`).then(({ ok }) => ok))
  return {
    firing: async () => {
      const answer = await fetch(`http://${address}/api/v1/alerts`)
      const { data } = (await answer.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] }
      }
      return [
        ...new Set(data.alerts.flatMap(({ state, labels }) => (state === "firing" ? [labels.alertname] : []))),
      ].sort()
    },
    stop: async () => {
      child.kill("SIGTERM")
      await ended
      remove()
    },
  }
}

/** What promtool says of a file of rule tests, empty when they all pass. `tests` are the entries of its list `tests`. */
export function findFailedRuleTests(tests: readonly object[]): string {
  const { path, remove } = temporaryDirectory()
  const file = join(path, "tests.yml")
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [join(process.cwd(), RULES)], evaluation_interval: "1m", tests }))
  const { status, stdout, stderr } = spawnSync("/usr/bin/promtool", ["test", "rules", file], { encoding: "utf8" })
  remove()
  return status === 0 ? "" : stdout + stderr
}
