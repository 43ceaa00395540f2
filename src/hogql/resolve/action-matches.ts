import type { ActionDefinition } from "../hogql.types.js"
import { HogqlError, queryError } from "../hogql-error.js"
import type { Call, ConstantValue, Expression, Span } from "../nodes/nodes.js"
import { placeAt } from "../nodes/place.js"
import { actionCondition } from "../placeholders/action-condition.js"
import { type } from "../sql/sql.js"
import { hint } from "../suggest.js"
import { nameAskingCohort } from "./cohort-members.js"
import type { Compilation } from "./compilation.js"
import type { SelectScope } from "./select-scope.js"
import type { Typed } from "./typed.js"

/**
 * `matchesAction(5)` and `matchesAction('name')`: whether an event matches a step of the action, as the action is now
 * (`docs/contract/queries.md#actions`).
 *
 * @throws HogqlError when the project has no such action, when no events are read, or naming an action that cannot be used
 */
export function resolveAction(
  { args: [asked], at }: Call,
  scope: SelectScope,
  resolve: (node: Expression) => Typed,
): Typed {
  const { actionsUnderWay } = scope.compilation
  const written = asked?.kind === "constant" ? asked.value : null
  const action = findAction(written, scope.compilation, asked?.at ?? at)
  const events = scope.relations.filter(({ tableName }) => tableName === "events")
  const [table] = events
  if (table === undefined || table.name === null || events.length > 1)
    throw queryError("'matchesAction' looks at events: the query around it must read the table events, once.", at)
  if (actionsUnderWay.includes(action)) throw unusable(action, "It leads back to itself.", at)
  const condition = placeAt(readAction(action, table.name, at), at)
  actionsUnderWay.push(action)
  try {
    return { sql: resolve(condition).sql, type: type("Boolean") }
  } finally {
    actionsUnderWay.pop()
  }
}

function findAction(written: ConstantValue, compilation: Compilation, at: Span): ActionDefinition {
  if (typeof written !== "string" && typeof written !== "number")
    throw queryError("'matchesAction' needs the id or the name of an action.", at)
  const { actions = new Map<number, ActionDefinition>() } = compilation.scope
  const all = [...actions.values()]
  const found = typeof written === "number" ? actions.get(written) : all.find(({ name }) => name === written)
  if (found !== undefined) return found
  if (typeof written === "number")
    throw queryError(`Could not find action with ID ${written}${nameAskingCohort(compilation)}.`, at)
  const names = all.map(({ name }) => name)
  throw queryError(`Could not find action with name '${written.slice(0, 100)}'.${hint(written, names)}`, at)
}

function readAction(action: ActionDefinition, table: string, at: Span): Expression {
  try {
    return actionCondition(action.steps, table, at)
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw unusable(action, failure.message, at)
  }
}

const unusable = ({ id, name }: ActionDefinition, reason: string, at: Span): HogqlError =>
  queryError(`Queries cannot use action '${name.slice(0, 100)}' (ID ${id}): ${reason}`, at)
