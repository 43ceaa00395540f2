/**
 * Engine settings of every user query (`docs/contract/queries.md#engine-settings`): nothing can be written or changed,
 * time, memory and result are bounded, and IN treats null as a value like any other. `readonly` is 1, not 2, which
 * would let SETTINGS through.
 */
export const QUERY_SETTINGS = Object.freeze({
  max_execution_time: 60,
  max_memory_usage: 2_000_000_000,
  max_result_rows: 50_001,
  // What one answer holds in memory, here and in the engine; larger results are exported.
  max_result_bytes: 20_000_000,
  result_overflow_mode: "throw",
  // What is larger goes to temporary disk. The engine also has ratios of what memory there is, and keeps to the larger of both.
  max_bytes_before_external_group_by: 100_000_000,
  max_bytes_ratio_before_external_group_by: 0,
  max_bytes_before_external_sort: 100_000_000,
  max_bytes_ratio_before_external_sort: 0,
  // What one project runs at a time (three queries, two in the background, two exports) leaves some for others.
  max_temporary_data_on_disk_size_for_query: 500_000_000,
  max_temporary_data_on_disk_size_for_user: 4_000_000_000,
  function_range_max_elements_in_block: 10_000_000,
  max_ast_elements: 4_000_000,
  max_expanded_ast_elements: 4_000_000,
  max_subquery_depth: 200,
  transform_null_in: 1,
  join_use_nulls: 0,
  // Subtotals of ROLLUP, CUBE and GROUPING SETS have null, not "", in the columns that they add up.
  group_by_use_nulls: 1,
  // A tuple is shown as a list, also where its elements have names, which are generated.
  output_format_json_named_tuples_as_objects: 0,
  max_threads: 2,
  readonly: 1,
} as const)
