import { createHash } from "node:crypto"
import { type FileHandle, open, rm } from "node:fs/promises"
import { type IncomingMessage, request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { join } from "node:path"
import { Readable } from "node:stream"
import { AwsV4Signer } from "aws4fetch"
import type { Clock } from "../../../kernel/clock.js"
import { readSystemCode } from "../../../kernel/system-error.js"
import { lookUpPublic, requirePublicHost } from "./public-address.js"
import { type OpenTarget, TargetFault } from "./target.types.js"

/** A bucket of a server that speaks S3, and who writes there. */
export interface S3Bucket {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What the server allows and has for it. */
export interface S3Access {
  /** Folder in which a file lies while it is measured. */
  readonly spoolFolder: string
  readonly allowsPrivateAddresses: boolean
  readonly clock: Clock
  readonly newId: () => string
}

interface Body {
  readonly size: number
  readonly sha256: string
  open(): Readable
}

/** Time without a byte from the other side, and for a whole file. */
const IDLE_MS = 30_000
const FILE_MS = 10 * 60_000
const MAX_ANSWER_BYTES = 64 * 1024
const PIECE_BYTES = 256 * 1024
const CHECK = Buffer.from("Waymark can write here.\n")

/** Writes files by one signed `PUT` each: S3 has an object whole or not at all. */
export const openS3Target = (bucket: S3Bucket, prefix: string, access: S3Access): OpenTarget => ({
  check: () => {
    const sha256 = createHash("sha256").update(CHECK).digest("hex")
    const body = { size: CHECK.length, sha256, open: () => Readable.from([CHECK]) }
    return put(bucket, joinPath(prefix, "waymark-check.txt"), body, access, AbortSignal.timeout(IDLE_MS))
  },
  write: (path, content, signal) =>
    withSpooled(join(access.spoolFolder, `export-${access.newId()}`), content, signal, async (body) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)])
      await put(bucket, joinPath(prefix, path), body, access, limited)
      return body.size
    }),
})

const joinPath = (prefix: string, path: string): string => (prefix === "" ? path : `${prefix}/${path}`)

/** A request says the length and the hash of its body first. The file has no name, so that a kill leaves nothing. */
async function withSpooled<T>(
  path: string,
  content: Readable,
  signal: AbortSignal,
  use: (body: Body) => Promise<T>,
): Promise<T> {
  const handle = await open(path, "wx+", 0o600)
  try {
    await rm(path)
    const hash = createHash("sha256")
    let size = 0
    for await (const piece of content) {
      signal.throwIfAborted()
      await handle.appendFile(piece)
      hash.update(piece)
      size += piece.length
    }
    return await use({ size, sha256: hash.digest("hex"), open: () => Readable.from(readAll(handle)) })
  } finally {
    await handle.close()
  }
}

async function* readAll(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** @throws TargetFault with the code that the server gave. */
async function put(bucket: S3Bucket, key: string, body: Body, access: S3Access, signal: AbortSignal): Promise<void> {
  const url = new URL(`${bucket.endpoint}/${bucket.bucket}/${key}`)
  if (!access.allowsPrivateAddresses) requirePublicHost(url.hostname)
  const { headers } = await new AwsV4Signer({
    method: "PUT",
    url: url.href,
    headers: { "x-amz-content-sha256": body.sha256 },
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    service: "s3",
    region: bucket.region,
    datetime: new Date(access.clock.now()).toISOString().replace(/[-:]|\.\d{3}/g, ""),
  }).sign()
  const answer = await send(url, { ...Object.fromEntries(headers), "content-length": body.size }, body, access, signal)
  const text = await readSome(answer)
  const status = answer.statusCode ?? 0
  if (status >= 200 && status < 300) return
  // Nothing else of the answer: it may repeat what the request said of the key.
  const code = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1] ?? ""
  throw new TargetFault(`The bucket's server answered ${`${status} ${code}`.trim()}.`)
}

function send(
  url: URL,
  headers: Readonly<Record<string, string | number>>,
  body: Body,
  { allowsPrivateAddresses }: S3Access,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestTls : requestPlain
  const lookup = allowsPrivateAddresses ? {} : { lookup: lookUpPublic }
  return new Promise((resolve, reject) => {
    const fail = (failure: unknown): void => reject(toFault(failure, signal))
    const request = send(url, { method: "PUT", headers, agent: false, timeout: IDLE_MS, signal, ...lookup })
    request.on("timeout", () => request.destroy(new TargetFault("The bucket's server took too long to answer.")))
    request.on("response", resolve)
    request.on("error", fail)
    // A server that refuses early closes: its answer counts, and what is left of the body does not.
    const content = body.open().on("error", fail)
    content.pipe(request)
    request.on("close", () => content.destroy())
  })
}

/** Bounded, as the other side may be anybody. */
async function readSome(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of answer) {
      pieces.push(piece)
      size += piece.length
      if (size > MAX_ANSWER_BYTES) break
    }
  } catch {
    // The status has come, and says enough.
  }
  return Buffer.concat(pieces).toString("utf8")
}

function toFault(failure: unknown, signal: AbortSignal): unknown {
  if (failure instanceof TargetFault) return failure
  if (signal.aborted && signal.reason instanceof DOMException && signal.reason.name === "TimeoutError")
    return new TargetFault("The bucket's server took too long to answer.")
  const code = readSystemCode(failure)
  return code === undefined || signal.aborted
    ? failure
    : new TargetFault(`The bucket's server cannot be reached (${code}).`, { cause: failure })
}
