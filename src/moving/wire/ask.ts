import { setTimeout as sleep } from "node:timers/promises"
import { type Json, parseJson } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"

/** A request to a server, sent again as long as that is worth it. */
export interface Question {
  readonly url: string
  readonly method?: "GET" | "POST"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** PostHog has limits by the hour. */
const LONGEST_ASKED_PAUSE_MS = 3_600_000
/** With pauses that double, a server may be away for a quarter of an hour. */
const MAX_ATTEMPTS = 20
/** For one answer, however slowly it comes; and as many bytes of it, far more than a page of anything has. */
const LONGEST_ANSWER_MS = 600_000
const LARGEST_ANSWER_BYTES = 256 * 1024 * 1024
const WORTH_A_RETRY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Asks until there is an answer that will not change: whoever is away or busy is asked again, as late as it says.
 * @throws StartupError when that takes too long.
 */
export async function ask(question: Question): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(question)
    const isFinal = !(answer instanceof Error) && !WORTH_A_RETRY.has(answer.status)
    if (isFinal) return answer
    if (attempt === MAX_ATTEMPTS) throw new StartupError(`${new URL(question.url).origin} ${toFault(answer)}`)
    await sleep(findPause(answer, attempt))
  }
}

/** Redirects are answers: a key is for the address that was named. */
async function askOnce({ url, method = "GET", headers = {}, body }: Question): Promise<Answer | Error> {
  try {
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
    const options = { method, headers, redirect: "manual", signal } as const
    const response = await fetch(url, { ...options, ...(body !== undefined && { body }) })
    return { status: response.status, headers: response.headers, text: await readText(response, url) }
  } catch (error) {
    if (error instanceof StartupError) throw error
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function readText({ body }: Response, url: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > LARGEST_ANSWER_BYTES) throw new StartupError(`${url} answers more than ${LARGEST_ANSWER_BYTES} bytes.`)
  }
  return Buffer.concat(pieces).toString()
}

function findPause(answer: Answer | Error, attempt: number): number {
  const seconds = answer instanceof Error ? Number.NaN : Number(answer.headers.get("retry-after") ?? Number.NaN)
  if (Number.isFinite(seconds)) return Math.min(seconds * 1_000, LONGEST_ASKED_PAUSE_MS)
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
}

const toFault = (answer: Answer | Error): string =>
  answer instanceof Error
    ? `does not answer: ${answer.cause instanceof Error ? answer.cause.message : answer.message}. Run the command again to go on.`
    : `answers ${answer.status}: ${answer.text.slice(0, 200)}. Run the command again to go on.`

/** The JSON of an answer of 200 to 299. @throws StartupError for any other, with what the server says of it. */
export function readAnswer({ status, headers, text }: Answer, url: string): Json {
  const place = headers.get("location")
  if (status >= 300 && status < 400 && place !== null)
    throw new StartupError(`${url} redirects to ${place}. Name the address that answers itself.`)
  if (status < 200 || status >= 300) throw new StartupError(`${url} answers ${status}: ${text.slice(0, 500)}`)
  try {
    return parseJson(text)
  } catch {
    throw new StartupError(`${url} answers what is no JSON: ${text.slice(0, 200)}`)
  }
}
