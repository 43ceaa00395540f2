import { type ChildProcess, fork } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Target } from "./attack.types.js"

/** What the program of an attack is told. */
export type Order = { readonly do: "prepare"; readonly attack: string; readonly target: Target } | { readonly do: Next }
type Next = "run" | "end"

/** What it says. */
export type Report =
  | { readonly is: "prepared" }
  | { readonly is: "outcomes"; readonly outcomes: Readonly<Record<string, number>> }
  | { readonly is: "failed"; readonly message: string }

const PROGRAM = fileURLToPath(new URL("./attacker-program.ts", import.meta.url))
/** Server and attacker share the processor: what is measured is what the server does, not who gets the processor. */
const NICER_BY = 5
const END_WITHIN_MS = 10_000

/** An attack in a process of its own, so that making it does not disturb those who measure. */
export class AttackerProcess {
  private readonly child: ChildProcess

  constructor() {
    this.child = fork(PROGRAM)
    setPriority(this.child.pid ?? 0, getPriority() + NICER_BY)
  }

  /** @throws Error with what went wrong. */
  async prepare(attack: string, target: Target): Promise<void> {
    await this.say({ do: "prepare", attack, target })
  }

  run(): void {
    this.child.send({ do: "run" } satisfies Order)
  }

  /** Ends the attack and its process; answers how often each outcome was seen. */
  async end(): Promise<Readonly<Record<string, number>>> {
    const late = pause(END_WITHIN_MS, { is: "failed", message: "it did not end in time" } as const, { ref: false })
    try {
      const report = await Promise.race([this.say({ do: "end" }), late])
      return report.is === "outcomes" ? report.outcomes : { "attacker did not end in time": 1 }
    } finally {
      this.kill()
    }
  }

  kill(): void {
    this.child.kill("SIGKILL")
  }

  private say(order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error("the attacker's process ended"))
      this.child.once("exit", fail)
      this.child.once("message", (report: Report) => {
        this.child.off("exit", fail)
        if (report.is === "failed") reject(new Error(report.message))
        else resolve(report)
      })
      this.child.send(order, (failure) => failure !== null && reject(failure))
    })
  }
}
