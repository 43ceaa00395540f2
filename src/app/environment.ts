import { isIP } from "node:net"
import { resolve } from "node:path"
import { z } from "zod"
import { CRASH_POINTS, DELETION_CRASH_POINTS } from "../kernel/crash-points.js"
import type { PlannedCrash } from "../platform/crash-points/create-crash-points.js"
import { readEncryptionKey } from "../platform/encryption/text-cipher.js"

const BYTES_PER_MEBIBYTE = 1024 * 1024

/** The roles of processes; one process may have several. */
export const ROLES = ["web", "ingest", "query"] as const
/** What one process does: answer requests, drain the ingest log, run background queries. */
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

const url = (...schemes: string[]) =>
  optionalText.refine((text) => text === null || schemes.some((scheme) => hasScheme(text, scheme)), {
    message: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
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

const VARIABLES = z.object({
  HOST: optionalText
    .transform((text) => text ?? "127.0.0.1")
    .refine((text) => isIP(text) !== 0 || /^[a-z0-9.-]+$/i.test(text), {
      message: "must be an address or a host name",
    }),
  PORT: count(8000, 65_535),
  DATA_DIR: optionalText.transform((text) => resolve(text ?? "./data")),
  DATABASE_URL: url("postgres", "postgresql"),
  CLICKHOUSE_URL: url("http", "https"),
  REDIS_URL: url("redis", "rediss", "redis+unix", "unix").refine(
    (text) => text === null || namesDatabaseByNumber(text),
    {
      message: "must end with the number of a database, as in redis://host:6379/0, or without a path",
    },
  ),
  PUBLIC_URL: url("http", "https").transform((text) => text?.replace(/\/+$/, "") ?? null),
  ROLES: optionalText
    .transform((text) => (text === null ? [...ROLES] : text.split(",").map((role) => role.trim())))
    .refine((roles) => roles.length > 0 && roles.every(isRole), {
      message: `must be a comma list of ${ROLES.join(", ")}`,
    })
    .transform((roles) => new Set(roles.filter(isRole))),
  GEOIP_DB: optionalText.transform((text) => (text === null ? null : resolve(text))),
  BROWSER_SDK_DIR: optionalText.transform((text) => (text === null ? null : resolve(text))),
  TRUST_PROXY: count(0, 32),
  LOG_LEVEL: optionalText
    .transform((text) => text ?? "info")
    .pipe(z.enum(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(", ")}` })),
  // Their form is checked where keys are made.
  BOOTSTRAP_PROJECT_API_KEY: optionalText,
  BOOTSTRAP_PERSONAL_API_KEY: optionalText,
  MIN_FREE_DISK_MB: count(256, 1_000_000_000),
  RATE_LIMIT_PER_MINUTE: count(0, 1_000_000),
  RATE_LIMIT_PER_HOUR: count(0, 60_000_000),
  FLAG_RATE_LIMIT_PER_KEY: count(0, 100_000_000),
  FLAG_RATE_LIMIT_PER_ADDRESS: count(0, 100_000_000),
  QUERY_TIME_LIMIT_SECONDS: count(60, 3_600, 1),
  QUERIES_AT_ONCE: count(4, 1_000, 1),
  QUERIES_WAITING: count(1_000, 100_000),
  FLAG_PAYLOAD_KEYS: encryptionKeys,
  WAYMARK_CRASH_AT: plannedCrash,
})

/** The whole configuration, by the names of the program. Durations and sizes carry their unit, addresses are absolute. */
const ENVIRONMENT = VARIABLES.transform((variables) => ({
  host: variables.HOST,
  /** 0 lets the system choose. */
  port: variables.PORT,
  /** Absolute path; only embedded stores, credentials and flag snapshots live there. */
  dataDirectory: variables.DATA_DIR,
  /** Null starts the embedded store. */
  databaseUrl: variables.DATABASE_URL,
  clickHouseUrl: variables.CLICKHOUSE_URL,
  /** Null keeps everything in this process. */
  redisUrl: variables.REDIS_URL,
  /** Scheme, host and port that clients see; null derives it from host and port. */
  publicUrl: variables.PUBLIC_URL,
  roles: variables.ROLES,
  geoIpDatabase: variables.GEOIP_DB,
  /** Folder with the scripts of another browser SDK than the one that comes with Waymark; null serves that. */
  browserSdkDirectory: variables.BROWSER_SDK_DIR,
  /** Number of trusted proxies in front: that many last hops of X-Forwarded-For are believed. */
  trustProxyHops: variables.TRUST_PROXY,
  logLevel: variables.LOG_LEVEL,
  bootstrapProjectApiKey: variables.BOOTSTRAP_PROJECT_API_KEY,
  bootstrapPersonalApiKey: variables.BOOTSTRAP_PERSONAL_API_KEY,
  /** Bytes that must stay free on the disk of an embedded PostgreSQL for events to be accepted; 0 accepts until it is full. */
  minFreeDiskBytes: variables.MIN_FREE_DISK_MB * BYTES_PER_MEBIBYTE,
  /** How often one personal key may ask; 0 means as often as it likes. */
  rateLimits: { perMinute: variables.RATE_LIMIT_PER_MINUTE, perHour: variables.RATE_LIMIT_PER_HOUR },
  /** Decision requests in a minute for one project key and from one address; 0 sets no limit. */
  flagRateLimits: { key: variables.FLAG_RATE_LIMIT_PER_KEY, address: variables.FLAG_RATE_LIMIT_PER_ADDRESS },
  /** Blocking queries of this process: time limit of one, how many run at once, how many may wait. */
  blockingLimits: {
    seconds: variables.QUERY_TIME_LIMIT_SECONDS,
    atOnce: variables.QUERIES_AT_ONCE,
    waiting: variables.QUERIES_WAITING,
  },
  /** Keys of encrypted payloads of flags: the first encrypts, all decrypt. Null leaves it to the data directory. */
  flagPayloadKeys: variables.FLAG_PAYLOAD_KEYS,
  /** Where a fault run makes this process die; null outside of fault runs. */
  plannedCrash: variables.WAYMARK_CRASH_AT,
}))

/** The whole configuration, read once. */
export type Environment = Readonly<z.output<typeof ENVIRONMENT>>

/**
 * Reads the configuration (README "Configuration").
 * @throws EnvironmentError listing every fault by variable name.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const parsed = ENVIRONMENT.safeParse(variables)
  if (parsed.success) return Object.freeze(parsed.data)
  throw new EnvironmentError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`))
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}

const hasScheme = (text: string, scheme: string): boolean =>
  text.startsWith(`${scheme}://`) && URL.canParse(text.replace("redis+unix:", "unix:"))

/** The client would go on with database 0. The path of a unix socket is a file. */
const namesDatabaseByNumber = (text: string): boolean =>
  /^(?:redis\+)?unix:/.test(text) || (URL.canParse(text) && /^\/?\d*$/.test(new URL(text).pathname))
