import { asProjectId, type ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { DEMAND_LASTS_MS, type LiveEventFilter, toChannel } from "./live-event.types.js"

interface Demand {
  readonly filter: LiveEventFilter
  readonly untilMs: number
}

/** What is watched at present, by whomever. Nothing is kept of what nobody watches. */
export class LiveEventDemands {
  private readonly demands = new Map<string, Demand>()

  /** `now` gives milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Takes in what a watcher says; anything else on the channel is passed over. */
  add(message: Json): void {
    const filter = toFilter(message)
    if (filter !== null) this.demands.set(toChannel(filter), { filter, untilMs: this.now() + DEMAND_LASTS_MS })
  }

  /** The filters that count now, by project; empty most of the time, and cheap to ask for then. */
  current(): ReadonlyMap<ProjectId, readonly LiveEventFilter[]> {
    const nowMs = this.now()
    for (const [channel, { untilMs }] of this.demands) if (untilMs < nowMs) this.demands.delete(channel)
    const filters = [...this.demands.values()].map(({ filter }) => filter)
    return Map.groupBy(filters, ({ projectId }) => projectId)
  }
}

function toFilter(message: Json): LiveEventFilter | null {
  if (!isJsonObject(message) || typeof message.projectId !== "number") return null
  const { projectId, event = null, distinctId = null } = message
  if ((event !== null && typeof event !== "string") || (distinctId !== null && typeof distinctId !== "string"))
    return null
  return { projectId: asProjectId(projectId), event, distinctId }
}
