import { type ClickHouseProxy, startClickHouseProxy } from "./click-house-proxy.js"

/** A server before ClickHouse that can keep something back, so that whoever asked is killed at that very place. */
export interface ClickHouseGate extends ClickHouseProxy {
  /**
   * Keeps back statements of this pattern, or only their answers, which the engine has given then; everything else
   * passes. Resolves once the first is kept back.
   */
  keepBack(what: "statements" | "answers", pattern: RegExp): Promise<void>
  /** Keeps back nothing more. What is kept back stays so, as whoever asked is dead, or goes on. */
  open(kept: "stays" | "goes on"): void
}

interface Kept {
  readonly what: "statements" | "answers"
  readonly pattern: RegExp
  readonly tell: () => void
  readonly released: PromiseWithResolvers<void>
}

/** Starts one before the engine at `target`. */
export async function startClickHouseGate(target: string): Promise<ClickHouseGate> {
  let kept: Kept | null = null
  const keep = async (what: "statements" | "answers", sql: string): Promise<void> => {
    if (kept?.what !== what || !kept.pattern.test(sql)) return
    kept.tell()
    await kept.released.promise
  }
  const proxy = await startClickHouseProxy(() => target, {
    before: ({ sql }) => keep("statements", sql),
    after: ({ sql }) => keep("answers", sql),
  })
  return {
    ...proxy,
    keepBack: (what, pattern) =>
      new Promise((resolve) => {
        kept = { what, pattern, tell: resolve, released: Promise.withResolvers() }
      }),
    open: (what) => {
      if (what === "goes on") kept?.released.resolve()
      kept = null
    },
  }
}
