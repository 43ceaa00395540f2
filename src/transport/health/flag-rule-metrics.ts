import { Gauge, type Registry } from "prom-client"
import type { FlagRuleAge } from "./health-routes.js"

/** Registers `waymark_flag_rules_age_seconds`: the time since flag rules were last known to be current. */
export function registerFlagRuleAge(registry: Registry, read: () => FlagRuleAge): void {
  new Gauge({
    name: "waymark_flag_rules_age_seconds",
    help: "Seconds since the flag rules of this process were last known to be current; NaN when they never were.",
    registers: [registry],
    collect() {
      this.set(read().ageSeconds ?? Number.NaN)
    },
  })
}
