/** First key of the advisory locks that make one owner per shard; the second one is the shard. */
export const SHARD_LOCK = 0x696e6773

/** First key of the advisory lock that every ingester shares for as long as it runs: its holders are the ingesters. */
export const INGESTER_LOCK = 0x696e6772

/** SQL for the number of shards. */
export const SHARD_COUNT = "(SELECT shard_count FROM ingest_sharding)"
