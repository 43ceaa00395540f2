import { nodes } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import type { EventCondition, RecordingFilter } from "../recordings.types.js"
import { bindSelect, type FilterContext, orFault, toCondition } from "./bound-selects.js"
import { PropertyTests } from "./property-tests.js"
import { joinTests, type SessionTest } from "./session-test.types.js"

const { compare, constant, field } = nodes

/** Each condition is a read of its own for the engine. */
const MAX_CONDITIONS = 100
const CONDITIONS = ["events", "eventConditions", "properties", "consoleLevels", "consoleSearch", "having"] as const

/** Whether a filter says anything of sessions beside when, which and whose they are. */
export const needsConditions = (filter: RecordingFilter): boolean =>
  CONDITIONS.some((name) => filter[name] !== undefined) || filter.leaveOutTestAccounts === true

/** What a session must be like to be in a list; null when every session is. @throws AppError invalid_input naming the field. */
export function toSessionTest(filter: RecordingFilter, context: FilterContext): SessionTest | null {
  const kind = filter.matchAny === true ? "any" : "all"
  const { eventConditions = [], properties = [], having = [] } = filter
  const events = [...(filter.events ?? []).map((event) => ({ event, properties: [] })), ...eventConditions]
  const wanted = joinTests(kind, [
    ...events.map((condition) => eventTest(condition, context)),
    consoleTest(filter, context),
    ...having.map((condition) => ({ kind: "measure", ...condition }) as const),
    ...properties.map(({ field: attr, filters }) => new PropertyTests(attr, context).read(filters, kind)),
  ])
  const own = context.scope.testAccountFilters as Json | undefined
  const accounts =
    filter.leaveOutTestAccounts === true && own !== undefined
      ? new PropertyTests("filter_test_accounts", context).read(own, "all")
      : null
  const test = joinTests("all", [wanted, accounts])
  if (countConditions(test) <= MAX_CONDITIONS) return test
  throw new AppError("invalid_input", {
    attr: "properties",
    detail: `At most ${MAX_CONDITIONS} conditions may be given.`,
  })
}

/** The session has an event of this name, or any, for which all of these hold at once. */
function eventTest({ event, properties, field: attr = "events" }: EventCondition, context: FilterContext): SessionTest {
  return orFault(attr, () => {
    const named = event === null ? [] : [compare("==", field(["events", "event"]), constant(event))]
    const select = bindSelect("events", [...named, toCondition("events", [...properties])], context)
    return { kind: "session_in", select }
  })
}

/** Level and text of one line of the console. */
function consoleTest({ consoleLevels, consoleSearch }: RecordingFilter, context: FilterContext): SessionTest | null {
  const line = { type: "log_entry" }
  const filters: Json[] = []
  if (consoleLevels !== undefined) filters.push({ ...line, key: "level", operator: "in", value: [...consoleLevels] })
  if (consoleSearch !== undefined)
    filters.push({ ...line, key: "message", operator: "icontains", value: consoleSearch })
  return new PropertyTests("console_log_filters", context).read(filters, "all")
}

function countConditions(test: SessionTest | null): number {
  if (test === null) return 0
  if (test.kind === "not") return countConditions(test.test)
  if (test.kind === "all" || test.kind === "any") return test.tests.reduce((sum, one) => sum + countConditions(one), 0)
  return 1
}
