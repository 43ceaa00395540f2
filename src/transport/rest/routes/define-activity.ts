import { defineList } from "../define-route.js"
import { ACTIVITY_ENTRY } from "../resources/activity-entry.js"
import type { RestRoute } from "../rest-route.types.js"

interface ActivityRow {
  readonly id: string
  readonly path: string
  readonly scope: string
  readonly field: string
  readonly args: Readonly<Record<string, string>>
  /** What clients call the kind of the thing. */
  readonly kind: string
  /** The parameter of the path that names the thing. */
  readonly parameter: string
  readonly summary: string
  readonly source: string
}

/** A row that answers what became of one thing. */
export const defineActivity = ({ kind, parameter, ...row }: ActivityRow): RestRoute =>
  defineList({
    ...row,
    resource: ACTIVITY_ENTRY,
    show: (entry, { params }) => ({ ...ACTIVITY_ENTRY.show(entry), scope: kind, item_id: params[parameter] ?? null }),
  })
