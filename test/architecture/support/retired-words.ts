/**
 * Words that we once used where the field has its own, with what is said instead. A word stands for itself inside
 * identifiers and paths: "take turn" for `takeTurn`, `TAKE_TURN` and `take-turn.ts`.
 */
export const RETIRED_WORDS: Readonly<Record<string, string>> = {
  "next turn": "yieldToEventLoop",
  "query turns": "FairConcurrencyLimiter",
  "take turn": "consumeRateLimit",
  "query flights": "SingleFlight",
  "flies alone": "SingleFlight",
  "shared work": "RequestCoalescer",
  "shared outcomes": "SubscriptionResultCache",
  "remembered records": "StaleWhileRevalidateCache",
  "ingestion reach": "ingestion watermark",
  slice: "batch",
  slices: "batches",
  portion: "chunk, sub-batch",
  portions: "chunks, sub-batches",
  bury: "deadLetter",
  buried: "deadLetter",
  "run board": "QueryRunTracker",
  "run performer": "QueryRunExecutor",
  accompany: "awaitRun",
  "silence watch": "HeartbeatMonitor",
  "write until first": "retryOnConflict",
  "create queues": "KeyedMutex",
  "repeated work": "PeriodicTask",
  slots: "Semaphore",
  "early conditions": "predicate push-down",
  "read in place": "subquery inlining",
  "settled keys": "group-key normalisation",
  "json outline": "JsonChunkScanner",
  "event head": "EventMeta",
  "work out": "compute",
  told: "reported",
  "own writes": "read-your-writes",
  "news in": "findRelevantEvents",
  "look at": "probe",
  "furnish project": "seedProject",
  "heal outbox": "publishOutbox",
  "person standing": "PersonTargeting",
  "filter shower": "createFilterPresenter",
}

/** Words that say nothing as the name of a type. */
export const RETIRED_IN_TYPES: Readonly<Record<string, string>> = { texts: "string" }

/** Names that others gave: methods of the platform, settings of PostgreSQL, slices of arrays in SQL. */
export const NAMES_OF_OTHERS = { members: ["slice"], anywhere: ["max_replication_slots", "Slice", "resolveSlice"] }
