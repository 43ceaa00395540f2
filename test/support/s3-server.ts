import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** The key that the server knows. */
export const S3_KEY = { accessKeyId: "AKIATESTTESTTEST", secretAccessKey: "only/for+the.tests==of-exports" } as const
const REGION = "test-region-1"

/** A small server that speaks as much of S3 as exports need, and checks each signature itself. */
export class S3Server {
  /** Bytes by bucket and key, as in `bucket/a/b`. */
  readonly objects = new Map<string, Buffer>()
  /** What was put, in its order; what was refused is not there. */
  readonly puts: string[] = []
  /** Answers a request whose signature fits in another way; null for as usual. */
  intervene: (path: string, response: ServerResponse) => boolean | Promise<boolean> = () => false

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<S3Server> {
    const server = createServer((request, response) => {
      own.answer(request, response).catch((failure) => response.destroy(failure))
    })
    const own = new S3Server(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return own
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Where exports of a test go, as the graph takes it. */
  target(more: Readonly<Record<string, unknown>> = {}) {
    return {
      s3: { endpoint: this.endpoint, region: REGION, bucket: "a-bucket", prefix: "some/where", ...S3_KEY, ...more },
    }
  }

  stop(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").slice(1)
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const code = findFault(request, body)
    if (code !== null) return refuse(response, code === "InternalError" ? 500 : 403, code)
    if (await this.intervene(path, response)) return
    this.objects.set(path, body)
    this.puts.push(path)
    response.writeHead(200, { etag: '"x"' }).end()
  }
}

/** As S3 refuses: with what it was sent, which nobody may repeat. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${S3_KEY.secretAccessKey}</Message></Error>`
  response.writeHead(status, { "content-type": "application/xml" }).end(text)
}

const hash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex")
const sign = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/** What is wrong with a request by the rules of AWS Signature Version 4; null when nothing is. */
function findFault({ method = "", url = "", headers }: IncomingMessage, body: Buffer): string | null {
  const { authorization = "", "content-length": length } = headers
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, keyId, day = "", region = "", signedHeaders = "", signature] = form.exec(authorization) ?? []
  if (keyId !== S3_KEY.accessKeyId) return "InvalidAccessKeyId"
  if (region !== REGION) return "AuthorizationHeaderMalformed"
  if (length !== String(body.length)) return "MissingContentLength"
  if (headers["x-amz-content-sha256"] !== hash(body)) return "XAmzContentSHA256Mismatch"
  const names = signedHeaders.split(";")
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) return "AccessDenied"
  const time = String(headers["x-amz-date"])
  if (!time.startsWith(day)) return "AccessDenied"
  const [path = "", query = ""] = url.split("?")
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, query, lines.join(""), signedHeaders, hash(body)].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(sign, `AWS4${S3_KEY.secretAccessKey}`)
  const wanted = sign(key, ["AWS4-HMAC-SHA256", time, scope, hash(canonical)].join("\n")).toString("hex")
  return wanted === signature ? null : "SignatureDoesNotMatch"
}
