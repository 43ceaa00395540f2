import { readFileSync } from "node:fs"

interface Generator {
  readonly prefix?: string
  readonly suffix?: string
  readonly wrap?: readonly [string, string, string, number]
  readonly repeat?: readonly [string, number]
  readonly around?: readonly [string, string]
}
export interface HostileCase {
  readonly id: string
  readonly expect: string
  readonly why: string
  readonly generator?: Generator
  readonly query?: string
  readonly rawBody?: unknown
  readonly rawText?: string
  readonly method?: string
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly transport?: string
}

const file = new URL("../../cases/hostile/graphql.json", import.meta.url)

/** The hostile requests that are sent over HTTP; those over sockets are scenarios of their own. */
export const hostileHttpCases = (JSON.parse(readFileSync(file, "utf8")) as { entries: HostileCase[] }).entries.filter(
  (one) => one.transport === undefined,
)

function generate({ prefix = "", suffix = "", wrap, repeat, around = ["", ""] }: Generator): string {
  const wrapped = wrap === undefined ? "" : wrap[0].repeat(wrap[3]) + wrap[1] + wrap[2].repeat(wrap[3])
  const repeated =
    repeat === undefined
      ? ""
      : repeat[0].includes("%d")
        ? Array.from({ length: repeat[1] }, (_, index) => repeat[0].replaceAll("%d", String(index))).join("")
        : repeat[0].repeat(repeat[1])
  return prefix + around[0] + wrapped + repeated + around[1] + suffix
}

/** Sends a hostile request to a server. */
export async function sendHostile(
  url: string,
  one: HostileCase,
  key: string | null = null,
): Promise<{ status: number; text: string }> {
  const headers = {
    "Content-Type": "application/json",
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...one.headers,
  }
  const query = one.generator === undefined ? one.query : generate(one.generator)
  const body = one.rawText ?? JSON.stringify(one.rawBody ?? { query })
  const answer = await fetch(`${url}${one.url ?? "/graphql"}`, {
    method: one.method ?? "POST",
    headers,
    ...(one.method === "GET" ? {} : { body }),
  })
  return { status: answer.status, text: await answer.text() }
}
