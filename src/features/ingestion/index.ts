export { AppendSignal } from "./append-signal.js"
export { createIngestionFeature, type IngestionFeatureDependencies } from "./ingestion.feature.js"
export { IngestionResolver } from "./ingestion.resolver.js"
export type { IngestionLag, IngestSignal } from "./ingestion.types.js"
