import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { Secret, TOTP } from "otpauth"
import { signInAtProvider, startOidcProvider } from "../support/oidc-visitor.js"
import { ownServer } from "../support/own-server.js"
import { PageClient } from "../support/page-client.js"

const ADA = { email: "ada@example.test", name: "Ada Lovelace", password: "an engine of brass" }
const ASKED = { status: 401, body: { type: "authentication_error", attr: "code" } }
const STATE = "{ me { secondFactor { confirmedAt recoveryCodesLeft } } }"
const NEXT_MS = 30_000

const provider = await startOidcProvider()
afterAll(() => provider.stop())

const { server, api } = ownServer({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: "waymark",
  OIDC_CLIENT_SECRET: "the secret of waymark at its provider",
  OIDC_ALLOWED_DOMAINS: "example.test",
})
const newPage = () => new PageClient(api.url)
const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? ""
const signIn = (person: object, page = newPage()) => page.post("/auth/sign-in", person)

/** What an authenticator with this secret shows, now or after a while. */
const codeOf = (secret: string, laterMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + laterMs })

async function start(page: PageClient, currentPassword: string): Promise<{ secret: string; uri: string }> {
  const { startTotp } = await page.graphql<{ startTotp: { enrolment: { secret: string; uri: string } } }>(
    `mutation ($currentPassword: String!) {
      startTotp(input: { currentPassword: $currentPassword }) { enrolment { secret uri } userErrors { field message } } }`,
    { currentPassword },
  )
  return startTotp.enrolment
}

async function confirm(page: PageClient, code: string): Promise<string[]> {
  const { confirmTotp } = await page.graphql<{ confirmTotp: { recoveryCodes: string[] } }>(
    `mutation ($code: String!) {
      confirmTotp(input: { code: $code }) { recoveryCodes userErrors { field message } } }`,
    { code },
  )
  return confirmTotp.recoveryCodes
}

const remove = (page: PageClient, code: string) =>
  page.graphql(
    `mutation ($code: String!) {
      removeTotp(input: { code: $code }) { secondFactor { confirmedAt } userErrors { field message } } }`,
    { code },
  )

let owner: PageClient
let secret = ""
let confirmedBy = ""
let recoveryCodes: string[] = []

/** Somebody new with a password, who is signed in. */
async function join(email: string, password: string): Promise<PageClient> {
  const { inviteUser } = await owner.graphql<{ inviteUser: { invited: { invitationToken: string } } }>(
    `mutation ($email: String!) {
      inviteUser(input: { email: $email, byLink: true }) { invited { invitationToken } userErrors { message } } }`,
    { email },
  )
  const page = newPage()
  const token = inviteUser.invited.invitationToken
  expect((await page.post("/auth/invitation", { token, name: "Somebody", password })).status).toBe(200)
  return page
}

beforeAll(async () => {
  owner = newPage()
  const token = /\/welcome\?token=(\S+)/.exec(server.stdout)?.[1]
  expect((await owner.post("/auth/first-owner", { ...ADA, token })).status).toBe(200)
})

describe("a second factor", () => {
  test("is turned on by the password and a right code, and counts only then", async () => {
    await expect(start(owner, "not this one")).rejects.toThrow(/current_password/)
    const begun = await start(owner, ADA.password)
    expect(begun.uri).toContain(`otpauth://totp/Waymark:${encodeURIComponent(ADA.email)}?issuer=Waymark`)
    expect(begun.uri).toContain(`secret=${begun.secret}`)
    await expect(confirm(owner, "nothing")).rejects.toThrow(/"field":"code"/)
    expect((await signIn(ADA)).status).toBe(200)
    expect(await owner.graphql(STATE)).toEqual({ me: { secondFactor: { confirmedAt: null, recoveryCodesLeft: 0 } } })
    confirmedBy = codeOf(begun.secret)
    recoveryCodes = await confirm(owner, confirmedBy)
    secret = begun.secret
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await owner.graphql(STATE)).toMatchObject({
      me: { secondFactor: { confirmedAt: expect.any(String), recoveryCodesLeft: 10 } },
    })
    await expect(start(owner, ADA.password)).rejects.toThrow(/There is a second factor already/)
  })

  test("is asked for after the password alone, and takes each code once", async () => {
    expect(await signIn({ ...ADA, password: "not this one" })).toMatchObject({ status: 401, body: { attr: null } })
    expect(await signIn(ADA)).toMatchObject(ASKED)
    expect(await signIn({ ...ADA, code: "000 000 0" })).toMatchObject(ASKED)
    expect(await signIn({ ...ADA, code: confirmedBy })).toMatchObject(ASKED)
    const code = codeOf(secret, NEXT_MS)
    const at = await Promise.all([signIn({ ...ADA, code }), signIn({ ...ADA, code })])
    expect(at.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test("takes a recovery code in its place, once, however it is typed", async () => {
    const code = (recoveryCodes[0] ?? "").toUpperCase().replaceAll("-", " ")
    expect((await signIn({ ...ADA, code })).status).toBe(200)
    expect(await signIn({ ...ADA, code })).toMatchObject(ASKED)
    expect(await owner.graphql(STATE)).toMatchObject({ me: { secondFactor: { recoveryCodesLeft: 9 } } })
  })

  test("is asked for by links that take the place of the password, which they do not use up", async () => {
    const page = await join("grace@example.test", "nanoseconds of wire")
    const { me } = await page.graphql<{ me: { number: number } }>("{ me { number } }")
    const begun = await start(page, "nanoseconds of wire")
    const [recovery] = await confirm(page, codeOf(begun.secret))
    const { createPasswordResetLink } = await owner.graphql<{ createPasswordResetLink: { link: { url: string } } }>(
      `mutation ($id: ID!) { createPasswordResetLink(input: { userId: $id }) { link { url } userErrors { message } } }`,
      { id: String(me.number) },
    )
    const reset = { token: tokenIn(createPasswordResetLink.link.url), password: "picoseconds of wire" }
    expect(await newPage().post("/auth/reset-password", reset)).toMatchObject(ASKED)
    expect(await newPage().post("/auth/reset-password", { ...reset, code: recovery })).toMatchObject({ status: 200 })
  })

  test("is turned off by one of its codes", async () => {
    const page = await join("linus@example.test", "a kernel of truth")
    const begun = await start(page, "a kernel of truth")
    const [recovery = ""] = await confirm(page, codeOf(begun.secret))
    await expect(remove(page, "wrong")).rejects.toThrow(/"field":"code"/)
    expect(await remove(page, recovery)).toMatchObject({ removeTotp: { secondFactor: { confirmedAt: null } } })
    expect((await signIn({ email: "linus@example.test", password: "a kernel of truth" })).status).toBe(200)
  })

  test("is turned off for somebody by whoever runs the server", async () => {
    const run = () =>
      spawnSync(process.execPath, ["dist/admin.js", "remove-second-factor", ADA.email], {
        env: { PATH: process.env.PATH, TMPDIR: tmpdir(), DATA_DIR: server.dataDirectory },
        encoding: "utf8",
      })
    expect(run().stdout).toBe(`${ADA.email} signs in by the password alone.\n`)
    expect(run()).toMatchObject({ status: 1, stderr: `${ADA.email} has no second factor.\n` })
    expect((await signIn(ADA)).status).toBe(200)
    expect(await signIn({ ...ADA, code: recoveryCodes[1] })).toMatchObject({ status: 200 })
  })

  test("is not asked of who comes by a provider, and goes with the password that somebody may have prepared", async () => {
    const page = await join("hedy@example.test", "hopping between frequencies")
    await confirm(page, codeOf((await start(page, "hopping between frequencies")).secret))
    const arrived = newPage()
    expect(await signInAtProvider(arrived, "hedy@example.test")).toBe("/")
    expect(await arrived.graphql(STATE)).toEqual({ me: { secondFactor: { confirmedAt: null, recoveryCodesLeft: 0 } } })
  })

  test("is guessed ten times, as passwords are", async () => {
    const somebody = { email: "mary@example.test", password: "a difference of engines" }
    const page = await join(somebody.email, somebody.password)
    const begun = await start(page, somebody.password)
    await confirm(page, codeOf(begun.secret))
    let guess = await signIn({ ...somebody, code: "wrong 1" })
    for (let wrong = 2; wrong <= 11 && guess.status === 401; wrong++)
      guess = await signIn({ ...somebody, code: `wrong ${wrong}` })
    expect(guess).toMatchObject({ status: 429 })
    expect((await signIn({ ...somebody, code: codeOf(begun.secret, NEXT_MS) })).status).toBe(429)
  })

  test("is in the audit log, as are recovery codes that were used", async () => {
    const { accountActivityLog } = await owner.graphql<{ accountActivityLog: { nodes: { activity: string }[] } }>(
      "{ accountActivityLog(scope: USER, first: 50) { nodes { activity } } }",
    )
    const noted = new Set(accountActivityLog.nodes.map(({ activity }) => activity))
    for (const activity of ["SECOND_FACTOR_ADDED", "RECOVERY_CODE_USED", "SECOND_FACTOR_REMOVED"])
      expect(noted).toContain(activity)
  })
})
