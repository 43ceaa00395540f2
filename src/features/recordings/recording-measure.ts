/** Numbers of a session by which lists can be cut and ordered; durations in seconds. */
export const RECORDING_MEASURES = [
  "duration",
  "active_seconds",
  "inactive_seconds",
  "click_count",
  "keypress_count",
  "mouse_activity_count",
  "console_log_count",
  "console_warn_count",
  "console_error_count",
  "activity_score",
] as const
/** One of these numbers. */
export type RecordingMeasure = (typeof RECORDING_MEASURES)[number]
