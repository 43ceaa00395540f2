/**
 * What senders write when they do not know who it was, so that many people have it
 * (`docs/contract/capture.md#shared-distinct-ids`).
 */
const SHARED = new Set([
  "0",
  "00000000-0000-0000-0000-000000000000",
  "[object object]",
  "anonymous",
  "anonymous-user",
  "backend",
  "distinct_id",
  "distinctid",
  "email",
  "false",
  "guest",
  "id",
  "nan",
  "none",
  "not_authenticated",
  "null",
  "system",
  "true",
  "undefined",
  "user",
])

/** Whether a distinct id stands for nobody in particular, in any case and with any white space around it. */
export const isSharedDistinctId = (distinctId: string): boolean => SHARED.has(distinctId.trim().toLowerCase())
