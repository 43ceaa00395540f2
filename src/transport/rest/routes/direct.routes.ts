import type { DirectRoute, JsonSchema, Method, RestRoute, Surface } from "../rest-route.types.js"
import { ANY_OBJECT, objectOf, TEXT } from "../schemas.js"

const MIB = 1024 * 1024
const CAPTURE_BYTES = 20 * MIB
const REPLAY_BYTES = 25 * MIB
const DECIDE_BYTES = MIB

interface HotPath {
  readonly path: string
  readonly surface: Surface
  readonly methods: readonly Method[]
  readonly summary: string
  readonly source: string
  readonly requestSchema?: JsonSchema
  readonly responseSchema?: JsonSchema
  readonly alsoAs?: readonly string[]
}

const WRITE: readonly Method[] = ["POST", "GET", "OPTIONS"]
const POST_ONLY: readonly Method[] = ["POST", "OPTIONS"]
const CONTRACT = "interface.md, Capture"
const CLIENTS = "paths that released SDKs call"

const EVENT = objectOf(
  {
    api_key: TEXT,
    event: TEXT,
    distinct_id: TEXT,
    properties: ANY_OBJECT,
    timestamp: { type: "string", format: "date-time" },
  },
  ["api_key", "event", "distinct_id"],
)
const BATCH = objectOf(
  { api_key: TEXT, historical_migration: { type: "boolean" }, batch: { type: "array", items: ANY_OBJECT } },
  ["api_key", "batch"],
)
const DECISION = objectOf(
  {
    api_key: TEXT,
    distinct_id: TEXT,
    groups: ANY_OBJECT,
    person_properties: ANY_OBJECT,
    group_properties: ANY_OBJECT,
  },
  ["api_key", "distinct_id"],
)

const CAPTURED = objectOf({ status: TEXT }, ["status"])

const CAPTURE_PATHS: readonly HotPath[] = [
  {
    path: "/i/v0/e",
    surface: "event",
    methods: WRITE,
    summary: "Capture one event.",
    source: CONTRACT,
    requestSchema: EVENT,
  },
  {
    path: "/batch",
    surface: "event",
    methods: WRITE,
    summary: "Capture many events.",
    source: CONTRACT,
    requestSchema: BATCH,
  },
  { path: "/e", surface: "legacy-event", methods: WRITE, summary: "Capture events.", source: CLIENTS },
  { path: "/capture", surface: "legacy-event", methods: WRITE, summary: "Capture events.", source: CLIENTS },
  { path: "/track", surface: "legacy-event", methods: WRITE, summary: "Capture events.", source: CLIENTS },
  { path: "/engage", surface: "engage", methods: WRITE, summary: "Set person properties.", source: CLIENTS },
  { path: "/s", surface: "replay", methods: WRITE, summary: "Capture session recordings.", source: CLIENTS },
  {
    path: "/i/v1/analytics/events",
    surface: "v1",
    methods: POST_ONLY,
    summary: "Capture many events, newer form.",
    source: CLIENTS,
  },
  { path: "/i/v0/ai", surface: "ai", methods: POST_ONLY, summary: "Capture AI events.", source: CLIENTS },
  { path: "/i/v0/ai/batch", surface: "ai", methods: POST_ONLY, summary: "Capture AI events.", source: CLIENTS },
]

const DECIDE_METHODS: readonly Method[] = ["POST", "GET", "HEAD", "OPTIONS"]
const DECIDE_PATHS: readonly HotPath[] = [
  {
    path: "/decide",
    surface: "decide",
    methods: DECIDE_METHODS,
    summary: "Evaluate feature flags for one user.",
    source: "interface.md, Feature-flag decision",
    requestSchema: DECISION,
    responseSchema: ANY_OBJECT,
  },
  {
    path: "/flags",
    surface: "flags",
    methods: DECIDE_METHODS,
    summary: "Evaluate feature flags for one user, newer form.",
    source: CLIENTS,
    requestSchema: DECISION,
    responseSchema: ANY_OBJECT,
  },
]

const CONFIG_METHODS: readonly Method[] = ["GET", "HEAD", "OPTIONS"]
const CONFIG_PATHS: readonly HotPath[] = [
  {
    path: "/array/:token/config",
    surface: "config",
    methods: CONFIG_METHODS,
    summary: "Settings a browser SDK loads first.",
    source: CLIENTS,
    responseSchema: ANY_OBJECT,
  },
  {
    path: "/array/:token/config.js",
    surface: "config-script",
    methods: CONFIG_METHODS,
    summary: "The same settings as a script.",
    source: CLIENTS,
    alsoAs: ["application/javascript"],
  },
]

const OFREP_METHODS: readonly Method[] = ["POST", "OPTIONS"]
const OFREP_CONTEXT = objectOf({ context: objectOf({ targetingKey: TEXT }, ["targetingKey"]) }, ["context"])
const OPENFEATURE = "OpenFeature remote evaluation protocol"
const OFREP_PATHS: readonly HotPath[] = [
  {
    path: "/ofrep/v1/evaluate/flags",
    surface: "ofrep",
    methods: OFREP_METHODS,
    summary: "Evaluate all flags for one OpenFeature context.",
    source: OPENFEATURE,
    requestSchema: OFREP_CONTEXT,
    responseSchema: ANY_OBJECT,
  },
  {
    path: "/ofrep/v1/evaluate/flags/:flag_key",
    surface: "ofrep",
    methods: OFREP_METHODS,
    summary: "Evaluate one flag for one OpenFeature context.",
    source: OPENFEATURE,
    requestSchema: OFREP_CONTEXT,
    responseSchema: ANY_OBJECT,
  },
]

const BROWSER_LIST_PATHS: readonly HotPath[] = (
  ["early_access_features", "surveys", "web_experiments", "product_tours"] as const
).map((name) => ({
  path: `/api/${name}`,
  surface: name.replaceAll("_", "-") as Surface,
  methods: CONFIG_METHODS,
  summary:
    name === "early_access_features"
      ? "Features that users may switch on for themselves: active flags with enrolment."
      : "An empty list: there is nothing of the kind here, and browser SDKs go on without it.",
  source: CLIENTS,
  responseSchema: ANY_OBJECT,
}))

/** Statuses that the handlers answer themselves; those of errors are not listed in rows. */
const CAPTURE_STATUSES = [200, 204, 400, 401, 413, 415, 429, 503]

const toRows = (
  paths: readonly HotPath[],
  handler: DirectRoute["handler"],
  maxBytes: number,
  statuses: readonly number[],
): RestRoute[] =>
  paths.flatMap(({ path, surface, methods, requestSchema, ...doc }) =>
    methods.map((method) => ({
      target: "direct" as const,
      id: `${path.replaceAll(/[/:.]+/g, "_").slice(1)}_${method.toLowerCase()}`,
      method,
      path,
      handler,
      surface,
      maxBytes: surface === "replay" ? REPLAY_BYTES : maxBytes,
      statuses,
      doc: { ...doc, ...(method === "POST" && requestSchema !== undefined ? { requestSchema } : {}) },
    })),
  )

/** The hot paths: capture, decide and the files browser SDKs load. Their handlers are called without GraphQL between. */
export const directRoutes: readonly RestRoute[] = [
  ...toRows(
    CAPTURE_PATHS.map((one) => ({ responseSchema: CAPTURED, ...one })),
    "capture",
    CAPTURE_BYTES,
    CAPTURE_STATUSES,
  ),
  ...toRows(DECIDE_PATHS, "decide", DECIDE_BYTES, [200, 204]),
  ...toRows(CONFIG_PATHS, "config", DECIDE_BYTES, [200, 304]),
  ...toRows(OFREP_PATHS, "ofrep", MIB, [200, 304, 400, 404]),
  ...toRows(BROWSER_LIST_PATHS, "browserList", MIB, [200]),
]
