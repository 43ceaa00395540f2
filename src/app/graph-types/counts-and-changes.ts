import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql"
import type { Json } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeList, makeObject } from "./make-types.js"

const COUNT = { type: GraphQLInt, description: "How many recordings; null where nothing was counted." }
const WATCHED = { type: GraphQLInt, description: "How many of them the caller has viewed; null likewise." }

const COLLECTION = makeObject("AttachedRecordingsCount", "Recordings that are attached to a playlist.", () => ({
  count: COUNT,
  watchedCount: WATCHED,
}))

const toMatches = (find: TypeFinder) =>
  makeObject("MatchedRecordingsCount", "Recordings that the filters of a playlist found.", () => ({
    count: COUNT,
    watchedCount: WATCHED,
    hasMore: { type: GraphQLBoolean, description: "Whether there are more than were counted." },
    increased: { type: GraphQLBoolean, description: "Whether there were fewer when they were counted before." },
    lastRefreshedAt: { type: find.output("DateTimeISO"), description: "When they were counted." },
  }))

const toCounts = (find: TypeFinder) => {
  const matches = toMatches(find)
  return makeObject("SessionRecordingsCounts", "How many recordings a playlist has.", () => ({
    collection: { type: new GraphQLNonNull(COLLECTION), description: "Those that are attached." },
    savedFilters: {
      type: new GraphQLNonNull(matches),
      description: "Those that the filters found, when last counted.",
    },
  }))
}

const toChange = (find: TypeFinder) =>
  makeObject("ActivityChange", "A field that was changed.", () => ({
    field: { type: new GraphQLNonNull(GraphQLString), description: "Name of the field, as REST has it." },
    before: { type: find.output("JSON"), description: "Its value before; null also where it is not logged." },
    after: { type: find.output("JSON"), description: "Its new value." },
  }))

/** Counts of recordings, and changes in the audit log. */
export function listCountsAndChanges(find: TypeFinder): Readonly<Record<string, TypedPlace>> {
  const changes = { type: makeList(toChange(find)), show: showChanges }
  return {
    "Activity.changes": { ...changes, description: "What changed, field by field; never a secret." },
    "FeatureFlagChangeRequest.changes": {
      ...changes,
      description: "What becomes of which field, and what it was when this was asked for; never a secret.",
    },
    "FeatureFlagScheduledChange.changes": {
      ...changes,
      description: "What becomes of which field, and what it was when this was planned; never a secret.",
    },
    "SessionRecordingPlaylist.recordingsCounts": {
      type: toCounts(find),
      description: "How many recordings it has, and how many of them the caller has viewed.",
      show: showCounts,
    },
  }
}

interface Change {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** Entries have either a list of `{field, before, after}` or an object of new values. */
function showChanges(changes: unknown): Change[] {
  if (Array.isArray(changes))
    return changes.filter(isObject).map(({ field, before = null, after = null }) => ({
      field: String(field),
      before,
      after,
    }))
  const values = isObject(changes) ? Object.entries(changes) : []
  return values.map(([field, after]) => ({ field, before: null, after }))
}

/** `{collection, saved_filters}` with snake case below. */
function showCounts(counts: unknown) {
  const { collection, saved_filters: matches } = Object(counts)
  return {
    collection: { count: collection.count, watchedCount: collection.watched_count },
    savedFilters: {
      count: matches.count,
      watchedCount: matches.watched_count,
      hasMore: matches.has_more,
      increased: matches.increased,
      lastRefreshedAt: matches.last_refreshed_at === null ? null : new Date(matches.last_refreshed_at),
    },
  }
}
