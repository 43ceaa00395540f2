import { setTimeout as pause } from "node:timers/promises"
import type { Attack } from "./attack.types.js"
import { Attacker } from "./attacker.js"
import type { Order, Report } from "./attacker-process.js"
import { findAttack } from "./attacks/index.js"

/** The process of one attack: prepares it, runs it, and says what came back. Ends when whoever started it does. */
const COUNTED_WITHIN_MS = 200
const stopping = new AbortController()
let attacker: Attacker | null = null
let attack: Attack | null = null

const report = (said: Report): void => void process.send?.(said)
const fail = (failure: unknown): void => report({ is: "failed", message: String((failure as Error).stack ?? failure) })

async function prepare(order: Extract<Order, { do: "prepare" }>): Promise<void> {
  attack = findAttack(order.attack)
  attacker = new Attacker(order.target)
  await attack.prepare?.(attacker)
  attacker.outcomes.clear()
  report({ is: "prepared" })
}

async function end(): Promise<void> {
  stopping.abort()
  // Until what was under way has been counted.
  await pause(COUNTED_WITHIN_MS)
  attacker?.close()
  report({ is: "outcomes", outcomes: Object.fromEntries(attacker?.outcomes ?? []) })
}

process.on("message", (order: Order) => {
  if (order.do === "prepare") prepare(order).catch(fail)
  else if (order.do === "end") end().catch(fail)
  else if (attack !== null && attacker !== null)
    attack.run(attacker, stopping.signal).catch((failure: unknown) => {
      if (!stopping.signal.aborted) attacker?.count(`attack failed: ${String(failure)}`)
    })
})
process.on("disconnect", () => process.exit())
