import { queryError } from "../hogql-error.js"
import { arithmetic, call, compare, constant, field, select, source } from "../nodes/make.js"
import type { Expression, Span } from "../nodes/nodes.js"

const column = (name: string): Expression => field(["session_replay_events", name])

/** What filters of type `recording` can be about, of `session_replay_events`. */
const SUBJECTS: ReadonlyMap<string, Expression> = new Map([
  ["duration", call("dateDiff", [constant("second"), column("start_time"), column("end_time")])],
  ["active_seconds", arithmetic("/", column("active_milliseconds"), constant(1000))],
  ...["click_count", "keypress_count", "mouse_activity_count", "console_log_count", "console_warn_count"].map(
    (name) => [name, column(name)] as const,
  ),
  ["console_error_count", column("console_error_count")],
  ["first_url", column("first_url")],
  ["snapshot_source", column("snapshot_source")],
])

/**
 * Events in a session with a recording that fits (`docs/contract/queries.md#property-filters`).
 *
 * @param toTest the condition of the filter on what it is about
 * @throws HogqlError for a key that recordings do not have, and on other tables than events
 */
export function recordingCondition(
  key: string,
  table: string,
  toTest: (subject: Expression) => Expression,
  at: Span,
): Expression {
  const subject = SUBJECTS.get(key)
  if (subject === undefined)
    throw queryError(
      `Recording filters can be about ${[...SUBJECTS.keys()].join(", ")}, not '${key.slice(0, 40)}'.`,
      at,
    )
  if (table !== "events") throw queryError("Recording filters can only be about events.", at)
  const fitting = select({
    columns: [column("session_id")],
    from: [source(field(["session_replay_events"]))],
    where: toTest(subject),
  })
  return compare("in", field([table, "$session_id"]), fitting)
}
