/** What became of events, by the words of Jepsen's set test. All but the first two mean a promise was broken or kept by luck. */
export interface Verdict {
  /** Acknowledged and stored once. */
  readonly stable: number
  /** Sent without an acknowledgement, and stored once: the answer was lost, not the event. */
  readonly recovered: number
  /** Sent without an acknowledgement and not stored. */
  readonly absent: number
  /** Acknowledged, and missing. */
  readonly lost: readonly string[]
  /** Stored more than once. */
  readonly duplicated: readonly string[]
  /** Stored, and never sent. */
  readonly phantom: readonly string[]
}

/**
 * Every event that clients of a run sent, by uuid. An event that was sent several times is acknowledged once any answer
 * was 200.
 */
export class EventLedger {
  private readonly acknowledgedByUuid = new Map<string, boolean>()
  acknowledgedRequests = 0
  acknowledgedEvents = 0
  failedRequests = 0

  get sentEvents(): number {
    return this.acknowledgedByUuid.size
  }

  record(uuids: readonly string[], isAcknowledged: boolean): void {
    if (isAcknowledged) this.acknowledgedRequests++
    else this.failedRequests++
    for (const uuid of uuids) {
      const before = this.acknowledgedByUuid.get(uuid) ?? false
      if (isAcknowledged && !before) this.acknowledgedEvents++
      this.acknowledgedByUuid.set(uuid, before || isAcknowledged)
    }
  }

  /** `stored` has the number of rows of each uuid that a read of everything gave. */
  judge(stored: ReadonlyMap<string, number>): Verdict {
    const sent = [...this.acknowledgedByUuid]
    const rowsOf = (uuid: string): number => stored.get(uuid) ?? 0
    return {
      stable: sent.filter(([uuid, isAcknowledged]) => isAcknowledged && rowsOf(uuid) === 1).length,
      recovered: sent.filter(([uuid, isAcknowledged]) => !isAcknowledged && rowsOf(uuid) === 1).length,
      absent: sent.filter(([uuid, isAcknowledged]) => !isAcknowledged && rowsOf(uuid) === 0).length,
      lost: sent.filter(([uuid, isAcknowledged]) => isAcknowledged && rowsOf(uuid) === 0).map(([uuid]) => uuid),
      duplicated: [...stored].filter(([, rows]) => rows > 1).map(([uuid]) => uuid),
      phantom: [...stored.keys()].filter((uuid) => !this.acknowledgedByUuid.has(uuid)),
    }
  }
}
