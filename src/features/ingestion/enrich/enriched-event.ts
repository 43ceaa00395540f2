import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { GeoIp } from "../../persons/index.js"
import type { LoggedEvent } from "../ingestion.types.js"

/** An event on its way through the enrichment steps; nobody else has its `properties`. */
export interface EnrichedEvent extends Omit<LoggedEvent, "properties"> {
  /** `timestamp` in milliseconds since the epoch. */
  readonly timestampMs: number
  properties: JsonObject
  /** Clicked elements as one text, outermost last; empty when the event has none. */
  elementsChain: string
  foundProperties: { readonly set: JsonObject; readonly setOnce: JsonObject } | undefined
}

/** Finds places, and hears of every address that has none, with the error when the look-up itself failed. */
export interface PlaceFinder extends GeoIp {
  logMiss(projectId: ProjectId, ipAddress: string, error?: unknown): void
}

/** Adds to or tidies one event; `geoIp` is null without a GeoIP file, or when the project has switched GeoIP off. */
export type EnrichStep = (event: EnrichedEvent, geoIp: PlaceFinder | null) => void
