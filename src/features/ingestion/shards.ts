/**
 * Projects are spread over this many shards, each with one owner at a time. Fixed: a batch belongs to its shard for good, and
 * an index of ingest_log is made for this number.
 */
export const SHARD_COUNT = 4

/** First key of the advisory locks that make one owner per shard; the second one is the shard. */
export const SHARD_LOCK = 0x696e6773
