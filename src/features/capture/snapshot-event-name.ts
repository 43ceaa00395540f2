/** Not an analytics event: recordings are made of these, and ingestion leaves them out of the events table. */
export const SNAPSHOT_EVENT_NAME = "$snapshot_items"
