import { isIP } from "node:net"
import { resolve } from "node:path"
import { z } from "zod"
import { CRASH_POINTS, DELETION_CRASH_POINTS } from "../kernel/crash-points.js"
import type { PlannedCrash } from "../platform/crash-points/create-crash-points.js"
import { readEncryptionKey } from "../platform/encryption/text-cipher.js"
import type { SamplerName } from "../platform/traces/create-sampler.js"

const BYTES_PER_MEBIBYTE = 1024 * 1024

/** The roles of processes; one process may have several. */
const ROLES = ["web", "ingest", "query"] as const
/** What one process does: answer requests, store events from the ingest log, run background queries. */
export type Role = (typeof ROLES)[number]

/** All faults of the configuration at once, one line each. */
export class EnvironmentError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid: ${faults.join("; ")}`)
    this.name = "EnvironmentError"
  }
}

const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || null)

const optionalPath = optionalText.transform((text) => (text === null ? null : resolve(text)))

const url = (...schemes: string[]) =>
  optionalText.refine((text) => text === null || schemes.some((scheme) => hasScheme(text, scheme)), {
    message: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  })

/** No longer than what is looked up when a request has it (`docs/contract/faults.md#keys-of-unlikely-form`). */
const key = (prefix: string, minLength: number) =>
  optionalText.refine((text) => text === null || new RegExp(`^${prefix}[\\w-]{${minLength},128}$`).test(text), {
    message: `must begin with ${prefix} and go on with ${minLength} to 128 letters, digits, "_" or "-"`,
  })

const count = (fallback: number, maximum: number, minimum = 0) =>
  z
    .string()
    .trim()
    .optional()
    .transform((text) => (text ? Number(text) : fallback))
    .refine((number) => Number.isInteger(number) && number >= minimum && number <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    })

/** Null where nothing is said. */
const optionalCount = (minimum: number, maximum: number) =>
  optionalText
    .transform((text) => (text === null ? null : Number(text)))
    .refine((number) => number === null || (Number.isInteger(number) && number >= minimum && number <= maximum), {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    })

const yesOrNo = optionalText
  .refine((text) => text === null || text === "true" || text === "false", { message: "must be true or false" })
  .transform((text) => text === "true")

/** Only a provider on this very machine may do without TLS. */
const providerUrl = optionalText
  .refine((text) => text === null || isProviderUrl(text), { message: "must be a URL that begins with https://" })
  .transform((text) => (text === null ? null : new URL(text)))

/** A part of a whole. */
const ratio = (fallback: number) =>
  optionalText
    .transform((text) => (text === null ? fallback : Number(text)))
    .refine((number) => number >= 0 && number <= 1, { message: "must be a number from 0 to 1" })

const SAMPLERS = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const satisfies readonly SamplerName[]

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const

const KNOWN_CRASH_POINTS = [...CRASH_POINTS, ...DELETION_CRASH_POINTS] as const

/** `point` or `point:occurrence`. */
const plannedCrash = optionalText.transform((text, context): PlannedCrash | null => {
  if (text === null) return null
  const [name, times = "1"] = text.split(":")
  const point = KNOWN_CRASH_POINTS.find((known) => known === name)
  const occurrence = Number(times)
  if (point !== undefined && Number.isInteger(occurrence) && occurrence > 0) return { point, occurrence }
  const message = `must be one of ${KNOWN_CRASH_POINTS.join(", ")}, and may end with a colon and a number from 1`
  context.addIssue({ code: "custom", message })
  return z.NEVER
})

const encryptionKeys = optionalText.transform((text, context): readonly [Buffer, ...Buffer[]] | null => {
  if (text === null) return null
  const [first = null, ...others] = text.split(",").map((one) => readEncryptionKey(one.trim()))
  if (first !== null && others.every((key) => key !== null)) return [first, ...others]
  const message = "must be a comma list of keys of 32 bytes, each in base64 or as 64 hexadecimal digits"
  context.addIssue({ code: "custom", message })
  return z.NEVER
})

/** Each setting with its variable. Durations and sizes carry their unit, addresses and paths are absolute. */
const SETTINGS = {
  host: [
    "HOST",
    optionalText
      .transform((text) => text ?? "127.0.0.1")
      .refine((text) => isIP(text) !== 0 || /^[a-z0-9.-]+$/i.test(text), {
        message: "must be an address or a host name",
      }),
  ],
  /** 0 lets the system choose. */
  port: ["PORT", count(8000, 65_535)],
  /** Where `/metrics` is served instead; null serves it with everything else. */
  metricsPort: ["METRICS_PORT", count(0, 65_535).transform((port) => (port === 0 ? null : port))],
  /** Only embedded stores, credentials and flag snapshots live there. */
  dataDirectory: ["DATA_DIR", optionalText.transform((text) => resolve(text ?? "./data"))],
  /** Null starts the embedded store. */
  databaseUrl: ["DATABASE_URL", url("postgres", "postgresql")],
  /** Connections to PostgreSQL of this process at most, those of shards apart; null leaves it to what kind of server that is. */
  databaseConnections: ["DATABASE_CONNECTIONS", optionalCount(12, 1_000)],
  clickHouseUrl: ["CLICKHOUSE_URL", url("http", "https")],
  /** Name of the cluster that it is an address of; null for one server. */
  clickHouseCluster: [
    "CLICKHOUSE_CLUSTER",
    optionalText.refine((text) => text === null || /^[A-Za-z][\w-]*$/.test(text), {
      message: 'must begin with a letter and go on with letters, digits, "_" or "-"',
    }),
  ],
  /** Null keeps everything in this process. */
  redisUrl: [
    "REDIS_URL",
    url("redis", "rediss", "redis+unix", "unix").refine((text) => text === null || namesDatabaseByNumber(text), {
      message: "must end with the number of a database, as in redis://host:6379/0, or without a path",
    }),
  ],
  /** Scheme, host and port that clients see; null derives it from host and port. */
  publicUrl: ["PUBLIC_URL", url("http", "https").transform((text) => text?.replace(/\/+$/, "") ?? null)],
  roles: [
    "ROLES",
    optionalText
      .transform((text) => (text === null ? [...ROLES] : text.split(",").map((role) => role.trim())))
      .refine((roles) => roles.length > 0 && roles.every(isRole), {
        message: `must be a comma list of ${ROLES.join(", ")}`,
      })
      .transform((roles) => new Set(roles.filter(isRole))),
  ],
  /** For how many days events are kept that could not be stored. */
  deadLetterDays: ["DEAD_LETTER_DAYS", count(30, 3_650, 1)],
  geoIpDatabase: ["GEOIP_DB", optionalPath],
  /** Folder with the scripts of another browser SDK than the one that comes with Waymark; null serves that. */
  browserSdkDirectory: ["BROWSER_SDK_DIR", optionalPath],
  /** Number of trusted proxies in front: that many last hops of X-Forwarded-For are believed. */
  trustProxyHops: ["TRUST_PROXY", count(0, 32)],
  /** How long a process that was told to stop serves on, so that whoever balances load may send requests elsewhere. */
  shutdownDelayMs: ["SHUTDOWN_DELAY", count(0, 3_600).transform((seconds) => seconds * 1_000)],
  logLevel: [
    "LOG_LEVEL",
    optionalText
      .transform((text) => text ?? "info")
      .pipe(z.enum(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(", ")}` })),
  ],
  /** Where a line for each request goes: a file, or stdout where the path is null. Null for nowhere. */
  accessLog: [
    "ACCESS_LOG",
    optionalText.transform((text) =>
      text === null || text === "0" ? null : { path: text === "1" ? null : resolve(text) },
    ),
  ],
  /** Collector that traces are sent to; null for none. The exporter reads it, and the variables beside it, by itself. */
  tracesEndpoint: ["OTEL_EXPORTER_OTLP_ENDPOINT", url("http", "https")],
  /** Which traces are recorded, and how large a part of them where lots are drawn. */
  traceSampler: [
    "OTEL_TRACES_SAMPLER",
    optionalText
      .transform((text) => text ?? "parentbased_always_on")
      .pipe(z.enum(SAMPLERS, { message: `must be one of ${SAMPLERS.join(", ")}` })),
  ],
  traceRatio: ["OTEL_TRACES_SAMPLER_ARG", ratio(1)],
  /** Public by nature, so it may be short. */
  bootstrapProjectApiKey: ["BOOTSTRAP_PROJECT_API_KEY", key("phc_", 1)],
  /** Opens everything, so it must not be guessed. */
  bootstrapPersonalApiKey: ["BOOTSTRAP_PERSONAL_API_KEY", key("phx_", 24)],
  /** Bytes that must stay free on the disk of an embedded PostgreSQL for events to be accepted; 0 accepts until it is full. */
  minFreeDiskBytes: ["MIN_FREE_DISK_MB", count(256, 1_000_000_000).transform((size) => size * BYTES_PER_MEBIBYTE)],
  /** Bytes of events that may wait to be stored; null leaves it to the free disk, or to a default where that is not known. */
  backlogBytes: [
    "INGEST_BACKLOG_MB",
    count(0, 1_000_000_000).transform((size) => (size === 0 ? null : size * BYTES_PER_MEBIBYTE)),
  ],
  /** How many shards the projects are spread over. */
  shardCount: ["INGEST_SHARDS", count(4, 64, 1)],
  /** Bytes of events that this process takes of one project in a minute; 0 sets no limit. */
  projectBytesPerMinute: [
    "INGEST_MB_PER_MINUTE",
    count(8_192, 1_000_000_000).transform((size) => size * BYTES_PER_MEBIBYTE),
  ],
  /** Memory that bodies of requests may take together, small ones apart. */
  bodyMemoryBytes: ["BODY_MEMORY_MB", count(256, 1_000_000, 128).transform((size) => size * BYTES_PER_MEBIBYTE)],
  /** Connections, sockets and streams that one client address has at a time, and streams of one project. */
  connectionsPerAddress: ["CONNECTIONS_PER_ADDRESS", count(2_000, 1_000_000, 1)],
  streamsPerAddress: ["STREAMS_PER_ADDRESS", count(500, 1_000_000, 1)],
  streamsPerProject: ["STREAMS_PER_PROJECT", count(2_000, 1_000_000, 1)],
  /** How often one personal key may ask; 0 means as often as it likes. */
  rateLimitPerMinute: ["RATE_LIMIT_PER_MINUTE", count(0, 1_000_000)],
  rateLimitPerHour: ["RATE_LIMIT_PER_HOUR", count(0, 60_000_000)],
  /** Requests without a key, and keys that turn out to be wrong, in a minute from one address; 0 sets no limit. */
  keylessRequestsPerMinute: ["KEYLESS_REQUESTS_PER_MINUTE", count(1_000, 1_000_000)],
  wrongKeysPerMinute: ["WRONG_KEYS_PER_MINUTE", count(300, 1_000_000)],
  /** Decision requests in a minute for one project key and from one address; 0 sets no limit. */
  flagRateLimitPerKey: ["FLAG_RATE_LIMIT_PER_KEY", count(0, 100_000_000)],
  flagRateLimitPerAddress: ["FLAG_RATE_LIMIT_PER_ADDRESS", count(0, 100_000_000)],
  /** List of GraphQL documents that requests may name, and whether these are all that is executed; null for none. */
  trustedDocuments: ["TRUSTED_DOCUMENTS", optionalPath],
  onlyTrustedDocuments: ["TRUSTED_DOCUMENTS_ONLY", yesOrNo],
  /** Blocking queries of this process: time limit of one, how many run at once, how many may wait. */
  queryTimeLimitSeconds: ["QUERY_TIME_LIMIT_SECONDS", count(60, 3_600, 1)],
  queriesAtOnce: ["QUERIES_AT_ONCE", count(4, 1_000, 1)],
  queriesWaiting: ["QUERIES_WAITING", count(1_000, 100_000)],
  /** Background queries that a process with the role `query` runs at once. */
  queryWorkers: ["QUERY_WORKERS", count(3, 100, 1)],
  /** Keys of encrypted payloads of flags: the first encrypts, all decrypt. Null leaves it to the data directory. */
  flagPayloadKeys: ["FLAG_PAYLOAD_KEYS", encryptionKeys],
  /** Where exports by schedule may write files, each in a folder of its own; null for nowhere. */
  exportDirectory: ["EXPORT_DIR", optionalPath],
  /** Whether they may write to buckets on addresses of private networks, this machine's too, and without TLS. */
  exportsToPrivateAddresses: ["EXPORT_TO_PRIVATE_ADDRESSES", yesOrNo],
  /** The provider of OpenID Connect; null for none. What else is said of it counts only with it. */
  oidcIssuer: ["OIDC_ISSUER", providerUrl],
  oidcClientId: ["OIDC_CLIENT_ID", optionalText],
  oidcClientSecret: ["OIDC_CLIENT_SECRET", optionalText],
  /** What the button says. */
  oidcName: ["OIDC_NAME", optionalText.transform((text) => text ?? "single sign-on")],
  /** Domains of mail whose users may sign in; none lets in every verified address. */
  oidcAllowedDomains: [
    "OIDC_ALLOWED_DOMAINS",
    optionalText.transform((text) =>
      (text ?? "")
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((domain) => domain !== ""),
    ),
  ],
  /** Role of somebody who was not known here; null lets in only who was. */
  oidcNewUserRole: [
    "OIDC_NEW_USER_ROLE",
    optionalText.pipe(z.enum(["admin", "member", "viewer"], { message: "must be admin, member or viewer" }).nullable()),
  ],
  /** Where a fault run makes this process die; null outside of fault runs. */
  plannedCrash: ["WAYMARK_CRASH_AT", plannedCrash],
} as const satisfies Readonly<Record<string, readonly [variable: string, schema: z.ZodType]>>

/** The whole configuration, read once. */
export type Environment = { readonly [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name][1]> }

/**
 * Reads the configuration (docs/configuration.md).
 * @throws EnvironmentError listing every fault by variable name.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const faults: string[] = []
  const settings = Object.entries(SETTINGS).map(([name, [variable, schema]]) => {
    const { error, data } = schema.safeParse(variables[variable])
    faults.push(...(error?.issues.map(({ message }) => `${variable} ${message}`) ?? []))
    return [name, data]
  })
  if (faults.length > 0) throw new EnvironmentError(faults)
  return Object.freeze(Object.fromEntries(settings))
}

/** Keys that commands beside a server use: of a project and a person there, and of a person at PostHog. */
export function readImportKeys({ PROJECT_KEY, PERSONAL_KEY, POSTHOG_PERSONAL_KEY }: NodeJS.ProcessEnv = process.env) {
  return { projectKey: PROJECT_KEY, personalKey: PERSONAL_KEY, posthogPersonalKey: POSTHOG_PERSONAL_KEY }
}

function isProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname))
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}

const hasScheme = (text: string, scheme: string): boolean =>
  text.startsWith(`${scheme}://`) && URL.canParse(text.replace("redis+unix:", "unix:"))

/** The client would go on with database 0. The path of a unix socket is a file. */
const namesDatabaseByNumber = (text: string): boolean =>
  /^(?:redis\+)?unix:/.test(text) || (URL.canParse(text) && /^\/?\d*$/.test(new URL(text).pathname))
