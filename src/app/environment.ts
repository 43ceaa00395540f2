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

/** The whole configuration, read once. Durations carry their unit, addresses are absolute. */
export interface Environment {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Absolute path; only embedded stores, credentials and flag snapshots live there. */
  readonly dataDirectory: string
  /** Null starts the embedded store. */
  readonly databaseUrl: string | null
  readonly clickHouseUrl: string | null
  /** Null keeps everything in this process. */
  readonly redisUrl: string | null
  /** Scheme, host and port that clients see; null derives it from host and port. */
  readonly publicUrl: string | null
  readonly roles: ReadonlySet<Role>
  readonly geoIpDatabase: string | null
  /** Folder with the scripts of another browser SDK than the one that comes with Waymark; null serves that. */
  readonly browserSdkDirectory: string | null
  /** Number of trusted proxies in front: that many last hops of X-Forwarded-For are believed. */
  readonly trustProxyHops: number
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent"
  readonly bootstrapProjectApiKey: string | null
  readonly bootstrapPersonalApiKey: string | null
  /** Bytes that must stay free on the disk of an embedded PostgreSQL for events to be accepted; 0 accepts until it is full. */
  readonly minFreeDiskBytes: number
  /** How often one personal key may ask; 0 means as often as it likes. */
  readonly rateLimits: { readonly perMinute: number; readonly perHour: number }
  /** Decision requests in a minute for one project key and from one address; 0 sets no limit. */
  readonly flagRateLimits: { readonly key: number; readonly address: number }
  /** Blocking queries of this process: time limit of one, how many run at once, how many may wait. */
  readonly blockingLimits: { readonly seconds: number; readonly atOnce: number; readonly waiting: number }
  /** Keys of encrypted payloads of flags: the first encrypts, all decrypt. Null leaves it to the data directory. */
  readonly flagPayloadKeys: readonly [Buffer, ...Buffer[]] | null
  /** Where a fault run makes this process die; null outside of fault runs. */
  readonly plannedCrash: PlannedCrash | null
}

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

const SCHEMA = z.object({
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

/**
 * Reads the configuration (`design.md` 5, README "Configuration").
 * @throws EnvironmentError listing every fault by variable name.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const parsed = SCHEMA.safeParse(variables)
  if (!parsed.success) {
    throw new EnvironmentError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`))
  }
  const values = parsed.data
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    clickHouseUrl: values.CLICKHOUSE_URL,
    redisUrl: values.REDIS_URL,
    publicUrl: values.PUBLIC_URL,
    roles: values.ROLES,
    geoIpDatabase: values.GEOIP_DB,
    browserSdkDirectory: values.BROWSER_SDK_DIR,
    trustProxyHops: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    bootstrapProjectApiKey: values.BOOTSTRAP_PROJECT_API_KEY,
    bootstrapPersonalApiKey: values.BOOTSTRAP_PERSONAL_API_KEY,
    minFreeDiskBytes: values.MIN_FREE_DISK_MB * BYTES_PER_MEBIBYTE,
    rateLimits: { perMinute: values.RATE_LIMIT_PER_MINUTE, perHour: values.RATE_LIMIT_PER_HOUR },
    flagRateLimits: { key: values.FLAG_RATE_LIMIT_PER_KEY, address: values.FLAG_RATE_LIMIT_PER_ADDRESS },
    blockingLimits: {
      seconds: values.QUERY_TIME_LIMIT_SECONDS,
      atOnce: values.QUERIES_AT_ONCE,
      waiting: values.QUERIES_WAITING,
    },
    flagPayloadKeys: values.FLAG_PAYLOAD_KEYS,
    plannedCrash: values.WAYMARK_CRASH_AT,
  })
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

const hasScheme = (text: string, scheme: string): boolean =>
  text.startsWith(`${scheme}://`) && URL.canParse(text.replace("redis+unix:", "unix:"))

/** The client would go on with database 0. The path of a unix socket is a file. */
const namesDatabaseByNumber = (text: string): boolean =>
  /^(?:redis\+)?unix:/.test(text) || (URL.canParse(text) && /^\/?\d*$/.test(new URL(text).pathname))
