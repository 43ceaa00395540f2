import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../src/features/projects/index.js"
import { createSignInFeature } from "../../../src/features/sign-in/index.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import type { Reply } from "../../../src/kernel/reply.js"
import { createInProcessCounters } from "../../../src/platform/counters/in-process-counters.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { waitFor } from "../../support/wait-for.js"
import { startTenancyApp, type TenancyApp } from "../access/tenancy-app.js"

const SITE = "https://waymark.test"
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const OWNER = { email: "ada@example.test", name: "Ada", password: "an engine of brass" }
const ENDLESS = { admit: () => undefined, noteWrong: () => undefined }

describe("signing in, as time goes by", () => {
  let app: TenancyApp
  let feature: ReturnType<typeof createSignInFeature>
  let elsewhere: ReturnType<typeof createSignInFeature>
  let lastToken = ""
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, {
      projectApiKey: "phc_first_project",
      personalApiKey: "phx_owner_of_everything",
    })
    const { database, access, clock } = app
    const pubSub = createInProcessPubSub(silentLogger)
    const shared = { database, access, clock, pubSub, ids: createIds(), oidc: null, logger: silentLogger }
    const counters = createInProcessCounters(clock)
    feature = createSignInFeature({ ...shared, counters })
    elsewhere = createSignInFeature({ ...shared, counters })
    await feature.start()
    await elsewhere.start()
  })
  afterAll(async () => {
    await feature.stop()
    await elsewhere.stop()
    await app.stop()
  })

  const ask = async (path: string, body: JsonObject = {}, token: string | null = null): Promise<Reply> => {
    const route = feature.routes.find((one) => one.path === path)
    if (route === undefined) throw new Error(`there is no ${path}`)
    const cookie = () => token
    const from = { senderIp: "192.0.2.1", userAgent: "Firefox", siteUrl: SITE }
    const reply = await route.answer({ ...from, body, query: new URLSearchParams(), cookie })
    lastToken = /waymark_session=([^;]+);/.exec(reply.headers?.["Set-Cookie"] ?? "")?.[1] ?? lastToken
    return reply
  }
  const attrOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => null,
      (fault) => fault.details?.attr,
    )
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => null,
      (fault) => fault.code,
    )
  const isSignedIn = async (token: string, where = feature): Promise<boolean> =>
    (await where.authenticate(token, ENDLESS)).principal !== null
  const claim = async (link: string | null) =>
    ask("/auth/first-owner", { ...OWNER, token: new URL(link ?? SITE).searchParams.get("token") ?? "" })

  test("the first owner's link is good for 15 minutes, and there is none once somebody has a password", async () => {
    const late = await feature.makeWelcomeLink(SITE)
    app.clock.advance(15 * MINUTE_MS)
    expect(await attrOf(claim(late))).toBe("token")
    const { headers } = await claim(await feature.makeWelcomeLink(SITE))
    expect(headers?.["Set-Cookie"]).toMatch(/; Secure$/)
    expect(await feature.makeWelcomeLink(SITE)).toBeNull()
  })

  test("a session ends 14 days after it was used last, however long it has been used", async () => {
    await ask("/auth/sign-in", OWNER)
    const token = lastToken
    for (let use = 0; use < 4; use++) {
      app.clock.advance(13 * DAY_MS)
      expect(await isSignedIn(token)).toBe(true)
      // Waits for the note of the use, which is written off the path of requests.
      await feature.stop()
    }
    app.clock.advance(14 * DAY_MS)
    expect(await isSignedIn(token)).toBe(false)
  })

  test("a session that is signed out has ended in other processes too, which had it in memory", async () => {
    await feature.start()
    await ask("/auth/sign-in", OWNER)
    const token = lastToken
    expect(await isSignedIn(token, elsewhere)).toBe(true)
    await ask("/auth/sign-out", {}, token)
    expect(await isSignedIn(token)).toBe(false)
    await waitFor("the other process to refuse the session", async () => !(await isSignedIn(token, elsewhere)))
  })

  test("whoever is not active any more is signed out, and cannot sign in", async () => {
    await ask("/auth/sign-in", OWNER)
    const token = lastToken
    await app.database.pool.query("UPDATE app_user SET is_active = false WHERE email = $1", [OWNER.email])
    await app.access.announceChange()
    expect(await isSignedIn(token)).toBe(false)
    expect(await codeOf(ask("/auth/sign-in", OWNER))).toBe("authentication_failed")
    await app.database.pool.query("UPDATE app_user SET is_active = true WHERE email = $1", [OWNER.email])
    await app.access.announceChange()
  })

  test("guesses are let in again after a quarter of an hour", async () => {
    const guess = () => codeOf(ask("/auth/sign-in", { ...OWNER, password: "something else" }))
    let code = await guess()
    for (let wrong = 2; wrong <= 11 && code === "authentication_failed"; wrong++) code = await guess()
    expect(code).toBe("rate_limited")
    expect(await codeOf(ask("/auth/sign-in", OWNER))).toBe("rate_limited")
    app.clock.advance(15 * MINUTE_MS)
    expect(await ask("/auth/sign-in", OWNER)).toMatchObject({ status: 200 })
  })
})
