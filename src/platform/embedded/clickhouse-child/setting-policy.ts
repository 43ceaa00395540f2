import { EngineException } from "./engine-exception.js"

/** Settings a statement may carry: limits, formats and the way a query runs; never what reaches files or the network. */
const ALLOWED_NAMES: ReadonlySet<string> = new Set([
  "readonly",
  "final",
  "priority",
  "session_timezone",
  "mutations_sync",
  "alter_sync",
  "lightweight_deletes_sync",
  "transform_null_in",
  "prefer_column_name_to_alias",
  "insert_null_as_default",
  "insert_deduplicate",
  "insert_deduplication_token",
  "deduplicate_insert",
  "deduplicate_blocks_in_dependent_materialized_views",
  "extremes",
  "use_uncompressed_cache",
  "use_query_condition_cache",
  "timeout_before_checking_execution_speed",
  "date_time_input_format",
  "date_time_output_format",
  "cast_keep_nullable",
  "do_not_merge_across_partitions_select_final",
  "log_comment",
  "function_range_max_elements_in_block",
])
const ALLOWED_PREFIXES =
  /^(?:max|min|join|optimize|input_format|output_format|format|group_by|distributed|aggregate_functions|compile|enable|allow_experimental|query_plan)_[a-z0-9_]+$|_overflow_mode$/

/** What these say concerns the HTTP exchange of a real server; an answer of the child always has its final status. */
const IGNORED =
  /^(?:wait_end_of_query|buffer_size|compress|session_timeout|session_check|client_protocol_version|http_[a-z0-9_]+|send_progress_in_http_headers|cancel_http_readonly_queries_on_client_close|enable_http_compression|async_insert|wait_for_async_insert)$/

/**
 * Whether a setting of a request is passed to the engine (`true`) or concerns only the HTTP exchange (`false`).
 * @throws EngineException SETTING_CONSTRAINT_VIOLATION for a setting that a statement may not change.
 */
export function isEngineSetting(name: string): boolean {
  if (IGNORED.test(name)) return false
  if (ALLOWED_NAMES.has(name) || ALLOWED_PREFIXES.test(name)) return true
  throw new EngineException(452, "SETTING_CONSTRAINT_VIOLATION", `Setting ${name} should not be changed`)
}
