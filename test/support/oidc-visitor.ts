import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { PageClient } from "./page-client.js"

/** A provider of OpenID Connect in a process of its own. */
export interface RunningProvider {
  readonly issuer: string
  stop(): void
}

/** Starts the provider; resolves once it listens. */
export async function startOidcProvider(): Promise<RunningProvider> {
  const child: ChildProcess = spawn(process.execPath, ["test/support/oidc-provider.mjs"], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  if (child.stdout === null) throw new Error("the provider has no output")
  const [line] = await once(child.stdout, "data")
  return { issuer: String(line).trim(), stop: () => void child.kill() }
}

const MAX_STEPS = 12

/**
 * Signs a page in as a browser does: to the provider, through its forms, and back. Answers the address at which it ends up.
 * @param login who somebody says they are at the provider.
 */
export async function signInAtProvider(page: PageClient, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = new URL("/auth/oidc/start", page.url)
  let form: URLSearchParams | null = null
  for (let step = 0; step < MAX_STEPS; step++) {
    const response: Response = await fetch(url, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== null && { body: form }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    form = null
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin === page.url && url.pathname !== "/auth/oidc/callback") {
        const token = cookies.get("waymark_session")
        page.cookie = token === undefined ? null : `waymark_session=${token}`
        return url.pathname + url.search
      }
      continue
    }
    const html = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
    if (action === undefined) throw new Error(`${response.status} at ${url}: ${html.slice(0, 500)}`)
    url = new URL(action, url)
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ""
    form = new URLSearchParams(prompt === "login" ? { prompt, login, password: "any" } : { prompt })
  }
  throw new Error(`the way to the provider does not end; it is at ${url}`)
}
