import type { PlaylistRowFragment } from "../../graph/generated/graphql"

type Counted = Pick<PlaylistRowFragment, "type" | "recordingsCounts">

/** How many recordings a playlist has and how many of them were viewed, in words. */
export function writeCount({ type, recordingsCounts: { collection, savedFilters } }: Counted): string {
  if (type === "COLLECTION") return write(collection.count ?? 0, collection.watchedCount)
  const { count, hasMore, watchedCount } = savedFilters
  return count === null ? "not counted yet" : write(count, watchedCount, hasMore === true)
}

function write(count: number, viewed: number | null, hasMore = false): string {
  const all = `${count.toLocaleString()}${hasMore ? " or more" : ""}`
  return viewed ? `${all}, ${viewed.toLocaleString()} viewed` : all
}
