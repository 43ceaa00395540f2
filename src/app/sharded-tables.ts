import type { Cluster } from "../platform/clickhouse/cluster/cluster.types.js"

/**
 * By what the rows of each table are spread over the shards of a cluster (decision 0092). Events go by distinct id, which
 * no repetition of a batch changes, and not by the person, whom a merge or a deletion may change meanwhile.
 */
export const SHARDED_TABLES: Cluster["tables"] = {
  events: { shardedBy: "cityHash64(project_id, distinct_id)" },
  person_distinct_id_overrides: { shardedBy: "cityHash64(project_id, distinct_id)" },
  person_distinct_ids: { shardedBy: "cityHash64(project_id, distinct_id)" },
  persons: { shardedBy: "cityHash64(project_id, id)" },
  groups: { shardedBy: "cityHash64(project_id, group_key)" },
  cohort_people: { shardedBy: "cityHash64(project_id, person_id)" },
  session_rollup: { shardedBy: "cityHash64(project_id, session_id)", isFilledByViews: true },
  session_rollup_fills: { shardedBy: "cityHash64(day)" },
  session_replay_events: { shardedBy: "cityHash64(project_id, session_id)" },
  session_snapshots: { shardedBy: "cityHash64(project_id, session_id)" },
  session_recording_deletions: { shardedBy: "cityHash64(project_id, session_id)" },
  log_entries: { shardedBy: "cityHash64(project_id, log_source_id)" },
  plugin_log_entries: { shardedBy: "cityHash64(project_id, plugin_config_id)" },
  person_deletion_ids: { shardedBy: "cityHash64(deletion)" },
  schema_migrations: { shardedBy: "cityHash64(name)" },
  store_pair: { shardedBy: "cityHash64(id)" },
}
