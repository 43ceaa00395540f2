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
  /** Until when it is to be said that events of a project have been stored. */
  private readonly signals = new Map<ProjectId, number>()

  /** `now` gives milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Takes in what a watcher says; anything else on the channel is passed over. */
  add(message: Json): void {
    if (isJsonObject(message) && message.isSignal === true && typeof message.projectId === "number") {
      this.signals.set(asProjectId(message.projectId), this.now() + DEMAND_LASTS_MS)
      return
    }
    const filter = toFilter(message)
    if (filter !== null) this.demands.set(toChannel(filter), { filter, untilMs: this.now() + DEMAND_LASTS_MS })
  }

  /** The projects of which it counts now that events have been stored, whichever they are. */
  signalled(): readonly ProjectId[] {
    const nowMs = this.now()
    for (const [projectId, untilMs] of this.signals) if (untilMs < nowMs) this.signals.delete(projectId)
    return [...this.signals.keys()]
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
