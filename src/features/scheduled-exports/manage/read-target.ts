import { AppError } from "../../../kernel/errors.js"
import type { ExportTarget } from "../scheduled-exports.types.js"
import type { ScheduledExportTargetInput } from "./scheduled-exports.graphql.js"

/** A target as it was asked for; the secret is null where the known one is to stay. */
export interface WantedTarget {
  readonly target: ExportTarget
  readonly secret: string | null
}

const MAX_PREFIX = 200
const MAX_TEXT = 256
/** No segment is empty or made of dots alone: no path leads out of its folder, and none has to be escaped. */
const PREFIX = /^(?!.*(?:^|\/)\.+(?:\/|$))[\w.=-]+(?:\/[\w.=-]+)*$/
/** Rules of S3 for names of buckets, without dots beside dots. */
const BUCKET = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,64}$/
const KEY_ID = /^[\w+/=.-]{1,128}$/

/**
 * Checks what was asked for by its form alone.
 * @param allowsPlain whether an address may do without TLS, as in a private network.
 * @throws AppError required, invalid_input naming the field.
 */
export function readTarget({ folder, s3 }: ScheduledExportTargetInput, allowsPlain: boolean): WantedTarget {
  if (folder != null) {
    const prefix = readPrefix("target__folder__prefix", folder.prefix)
    return { secret: null, target: { kind: "folder", prefix, ...NO_BUCKET } }
  }
  if (s3 == null) throw new AppError("required", { attr: "target" })
  const require = (field: "region" | "bucket" | "accessKeyId", form: RegExp, rule: string): string => {
    if (form.test(s3[field])) return s3[field]
    throw refuse(`target__s3__${field}`, `${field} ${rule}.`)
  }
  const { secretAccessKey: secret = null } = s3
  if (secret !== null && !/^[\x21-\x7e]{1,256}$/.test(secret))
    throw refuse("target__s3__secretAccessKey", `secretAccessKey must be 1 to ${MAX_TEXT} characters without blanks.`)
  return {
    secret,
    target: {
      kind: "s3",
      endpoint: readEndpoint(s3.endpoint, allowsPlain),
      region: require("region", REGION, "must be small letters, digits and -"),
      bucket: require("bucket", BUCKET, "must be 3 to 63 small letters, digits, . and -"),
      prefix: readPrefix("target__s3__prefix", s3.prefix),
      accessKeyId: require("accessKeyId", KEY_ID, "must be 1 to 128 letters and digits"),
    },
  }
}

const NO_BUCKET = { endpoint: null, region: null, bucket: null, accessKeyId: null }

function readPrefix(attr: string, given: string | null | undefined): string {
  const prefix = given ?? ""
  if (prefix === "" || (prefix.length <= MAX_PREFIX && PREFIX.test(prefix))) return prefix
  const form = "names of letters, digits, ., _, = and -, with slashes between, and none of dots alone"
  throw refuse(attr, `prefix must be at most ${MAX_PREFIX} characters: ${form}.`)
}

function readEndpoint(text: string, allowsPlain: boolean): string {
  const url = text.length <= MAX_TEXT && URL.canParse(text) ? new URL(text) : null
  const isAllowed = url?.protocol === "https:" || (allowsPlain && url?.protocol === "http:")
  const isPlain = url !== null && text.replace(/\/$/, "").toLowerCase() === url.origin
  if (url !== null && isAllowed && isPlain) return url.origin
  const scheme = allowsPlain ? "http:// or https://" : "https://"
  throw refuse("target__s3__endpoint", `endpoint must be ${scheme}, a host and perhaps a port, and nothing else.`)
}

const refuse = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
