import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import type { RecordKind } from "./record-kinds.js"
import { isCollection, isStaticCohort } from "./record-source.js"

/** Fields of each kind that both products have, beside its name. */
const FIELDS: Readonly<Record<Exclude<RecordKind, "insights" | "dashboards">, readonly string[]>> = {
  cohorts: ["name", "description", "filters", "is_static"],
  actions: ["name", "description", "steps"],
  feature_flags: [
    "key",
    "name",
    "filters",
    "active",
    "ensure_experience_continuity",
    "bucketing_identifier",
    "evaluation_contexts",
    "evaluation_runtime",
    "is_remote_configuration",
    "tags",
  ],
  session_recording_playlists: ["name", "derived_name", "description", "pinned", "filters"],
}
const DISPLAY_KINDS: ReadonlySet<Json> = new Set<Json>(["InsightVizNode", "DataVisualizationNode", "DataTableNode"])
const COLUMNS = 12
const TILE = { w: 6, h: 5 }

/** What a record is known by among others of its kind. */
export const findName = (kind: RecordKind, record: JsonObject): string =>
  kind === "feature_flags" ? String(record.key) : (findGivenName(record) ?? `Untitled ${String(record.id)}`)

function findGivenName(record: JsonObject): string | null {
  const name = [record.name, record.derived_name].find((each) => typeof each === "string" && each.trim() !== "")
  return typeof name === "string" ? name : null
}

/** Why a record cannot come over as it is; null when nothing is missing. */
export function findLack(kind: RecordKind, record: JsonObject): string | null {
  if (record.has_encrypted_payloads === true) return "its payloads are encrypted and nobody can read them"
  if (kind === "insights" && !isJsonObject(record.query))
    return "it has filters of an old form and no query; save it anew in PostHog"
  if (kind === "dashboards" && !Array.isArray(record.tiles)) return "its tiles are not among what is read"
  if (isStaticCohort(kind, record) && !Array.isArray(record.members)) return "its members are not among what is read"
  if (isCollection(kind, record) && !Array.isArray(record.recordings))
    return "its recordings are not among what is read"
  return null
}

/** The body that makes a cohort, an action, a flag or a playlist by REST. */
export function toRestBody(kind: keyof typeof FIELDS, record: JsonObject): JsonObject {
  const present = FIELDS[kind].flatMap((name): [string, Json][] => {
    const value = record[name] ?? null
    return value === null ? [] : [[name, value]]
  })
  const body: JsonObject = Object.fromEntries(present)
  if (kind === "cohorts" && body.is_static === true) delete body.filters
  // A playlist may go by the name that a client derived.
  const isNamed = kind === "session_recording_playlists" && findGivenName(record) !== null
  return kind === "feature_flags" || isNamed ? body : { ...body, name: findName(kind, record) }
}

/** The input that makes an insight. */
export function toInsightInput(record: JsonObject): JsonObject {
  const query = isJsonObject(record.query) ? record.query : {}
  const isShown = query.kind !== undefined && DISPLAY_KINDS.has(query.kind) && isJsonObject(query.source)
  return { ...toCommon("insights", record), query: { raw: isShown ? (query.source ?? null) : query } }
}

/** The input that makes a dashboard of the tiles whose insights are known. */
export function toDashboardInput(record: JsonObject, insights: Readonly<Record<string, string>>): JsonObject {
  const tiles = Array.isArray(record.tiles) ? record.tiles.filter(isJsonObject) : []
  const made = tiles.flatMap((tile, index) => {
    const content = toContent(tile, insights)
    return content === null ? [] : [{ ...content, ...toPlace(tile, index) }]
  })
  const { filters = null, pinned = false } = record
  return {
    ...toCommon("dashboards", record),
    pinned: pinned === true,
    tiles: made,
    ...(isJsonObject(filters) && Object.keys(filters).length > 0 && { filters: { raw: filters } }),
  }
}

function toCommon(kind: RecordKind, record: JsonObject): JsonObject {
  const { description, tags } = record
  return {
    name: findName(kind, record),
    ...(typeof description === "string" && { description }),
    ...(Array.isArray(tags) && { tags }),
  }
}

function toContent({ insight, text }: JsonObject, insights: Readonly<Record<string, string>>): JsonObject | null {
  if (isJsonObject(text)) return { text: String(text.body ?? "") }
  const id = isJsonObject(insight) ? insights[String(insight.id)] : undefined
  return id === undefined ? null : { insight: id }
}

/** Its place on a wide screen; two in a row where PostHog has none. */
function toPlace({ layouts }: JsonObject, index: number): JsonObject {
  const wide = isJsonObject(layouts) && isJsonObject(layouts.sm) ? layouts.sm : {}
  const read = (value: Json | undefined, fallback: number, from: number, to: number): number =>
    typeof value === "number" ? Math.min(Math.max(Math.round(value), from), to) : fallback
  const w = read(wide.w, TILE.w, 1, COLUMNS)
  const x = read(wide.x, (index % 2) * TILE.w, 0, COLUMNS - w)
  return { x, y: read(wide.y, Math.floor(index / 2) * TILE.h, 0, 10_000), w, h: read(wide.h, TILE.h, 1, 100) }
}
