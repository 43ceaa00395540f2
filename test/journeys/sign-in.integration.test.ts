import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { signInAtProvider, startOidcProvider } from "../support/oidc-visitor.js"
import { ownServer } from "../support/own-server.js"
import { PageClient } from "../support/page-client.js"

const OWNER = { email: "ada@example.test", name: "Ada Lovelace", password: "an engine of brass" }
const WRONG = { type: "authentication_error", detail: "The e-mail address or the password is wrong." }
const ME = "{ me { email organizations { name role } } }"

const provider = await startOidcProvider()
afterAll(() => provider.stop())

const { server, api } = ownServer({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: "waymark",
  OIDC_CLIENT_SECRET: "the secret of waymark at its provider",
  OIDC_NAME: "Example",
  OIDC_ALLOWED_DOMAINS: "example.test",
  OIDC_NEW_USER_ROLE: "viewer",
})
const newPage = () => new PageClient(api.url)
const welcomeToken = () => /\/welcome\?token=(\S+)/.exec(server.stdout)?.[1] ?? ""
const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? ""

async function signIn(email: string, password: string): Promise<PageClient> {
  const page = newPage()
  const { status, body } = await page.post("/auth/sign-in", { email, password })
  expect({ status, body }).toMatchObject({ status: 200, body: { user: { email } } })
  return page
}

let owner: PageClient
beforeAll(async () => {
  owner = newPage()
})

describe("the first owner", () => {
  test("is made by the link that the start printed, once, and is then signed in", async () => {
    expect(await owner.get("/auth/session")).toMatchObject({ status: 401, body: { setupRequired: true } })
    expect(await owner.get("/auth/options")).toMatchObject({ status: 200, body: { oidc: { name: "Example" } } })
    const claim = (changes: object) => owner.post("/auth/first-owner", { ...OWNER, token: welcomeToken(), ...changes })
    expect(await claim({ password: "short" })).toMatchObject({ status: 400, body: { attr: "password" } })
    expect(await claim({ password: undefined })).toMatchObject({
      status: 400,
      body: { attr: "password", code: "required" },
    })
    expect(await claim({ email: "nowhere" })).toMatchObject({ status: 400, body: { attr: "email" } })
    expect(await claim({ token: "phw_made-up" })).toMatchObject({ status: 400, body: { attr: "token" } })
    const made = await claim({})
    expect(made).toMatchObject({ status: 200, body: { user: { email: OWNER.email, name: OWNER.name } } })
    expect(made.headers.get("set-cookie")).toMatch(
      /^waymark_session=pht_\w{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
    )
    expect(await claim({})).toMatchObject({ status: 400, body: { attr: "token" } })
    expect(await owner.get("/auth/session")).toMatchObject({ status: 200, body: { user: { email: OWNER.email } } })
    expect(await owner.graphql(ME)).toEqual({
      me: { email: OWNER.email, organizations: [{ name: "My organization", role: "OWNER" }] },
    })
  })

  test("signs out and in again; what is wrong is not told", async () => {
    const left = owner.cookie
    expect((await owner.post("/auth/sign-out")).status).toBe(204)
    expect(await owner.get("/auth/session")).toMatchObject({ status: 401, body: { setupRequired: false } })
    owner.cookie = left
    expect(await owner.faultOf(ME)).toBe("UNAUTHENTICATED")
    owner.cookie = null
    const wrong = await owner.post("/auth/sign-in", { ...OWNER, password: "something else" })
    const unknown = await owner.post("/auth/sign-in", { ...OWNER, email: "nobody@example.test" })
    expect(wrong).toMatchObject({ status: 401, body: WRONG })
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: wrong.status, body: wrong.body })
    owner = await signIn("ADA@example.test".toLowerCase(), OWNER.password)
  })
})

describe("the cookie", () => {
  test("counts only together with the header, which no form can send", async () => {
    expect(await owner.faultOf(ME)).toBeNull()
    const others: Record<string, string>[] = [{}, { "waymark-console": "0" }, { origin: "https://evil.test" }]
    for (const headers of others) expect(await owner.faultOf(ME, headers)).toBe("UNAUTHENTICATED")
    const { status } = await owner.request("GET", "/api/users/@me/")
    expect(status).toBe(401)
    const form = await fetch(`${api.url}/graphql`, {
      method: "POST",
      headers: { cookie: owner.cookie ?? "", "content-type": "text/plain" },
      body: JSON.stringify({ query: 'mutation { updateMe(input: { firstName: "Eve" }) { userErrors { message } } }' }),
    })
    expect(form.status).toBe(415)
    for (const path of ["sign-out", "sign-in", "first-owner", "invitation", "reset-password"]) {
      const forged = await owner.request("POST", `/auth/${path}`, OWNER, {})
      expect(forged).toMatchObject({ status: 403, body: { code: "permission_denied" } })
      const asked = await owner.request("OPTIONS", `/auth/${path}?_=1`, undefined, {
        origin: "https://evil.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "waymark-console",
      })
      expect(asked.status).toBe(405)
      expect([...asked.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
    }
    expect(await owner.faultOf(ME)).toBeNull()
  })

  test("of a made-up session is refused", async () => {
    const page = newPage()
    for (const cookie of ["x", `pht_${"a".repeat(43)}`, `pht_${"a".repeat(5_000)}`]) {
      page.cookie = `waymark_session=${cookie}`
      expect(await page.faultOf(ME)).toBe("UNAUTHENTICATED")
    }
  })

  test("opens a socket for a page of this host that says so, and for no other", async () => {
    const own = { origin: api.url, parameters: { console: true } }
    expect(await openSocket(owner, own)).toBe("ada@example.test")
    expect(await openSocket(owner, { ...own, origin: "https://evil.test" })).toBe("UNAUTHENTICATED")
    expect(await openSocket(owner, { ...own, parameters: {} })).toBe("UNAUTHENTICATED")
  })
})

describe("a session", () => {
  test("is listed, and ends at once when it is revoked, on open sockets and streams too", async () => {
    const other = await signIn(OWNER.email, OWNER.password)
    const closed = closeOfSocket(other)
    const stream = await fetch(`${api.url}/graphql`, {
      method: "POST",
      headers: {
        cookie: other.cookie ?? "",
        "waymark-console": "1",
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ query: "subscription { liveEvents { uuid } }" }),
    })
    expect(stream.status).toBe(200)
    await closed.opened
    const { me } = await owner.graphql<{ me: { sessions: { id: string; isCurrent: boolean }[] } }>(
      "{ me { sessions { id isCurrent userAgent } } }",
    )
    const revoked = me.sessions.find(({ isCurrent }) => !isCurrent)
    expect(me.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    await owner.graphql(
      "mutation ($id: ID!) { revokeSession(input: { id: $id }) { revokedId userErrors { message } } }",
      { id: revoked?.id },
    )
    expect(await closed.code).toBe(4403)
    expect(await stream.text()).not.toContain('"data"')
    expect(await other.faultOf(ME)).toBe("UNAUTHENTICATED")
  })

  test("outlives a change of the password only where that was made", async () => {
    const other = await signIn(OWNER.email, OWNER.password)
    const change = (current: string, password: string) =>
      owner.graphql(
        `mutation ($current: String!, $password: String!) {
          changePassword(input: { currentPassword: $current, newPassword: $password }) {
            endedSessionCount userErrors { field message } } }`,
        { current, password },
      )
    await expect(change("not this one", "another engine")).rejects.toThrow(/current_password/)
    await expect(change(OWNER.password, OWNER.email)).rejects.toThrow(/new_password/)
    expect(await change(OWNER.password, "an engine of steel")).toMatchObject({
      changePassword: { endedSessionCount: expect.any(Number) },
    })
    expect(await other.faultOf(ME)).toBe("UNAUTHENTICATED")
    expect(await owner.faultOf(ME)).toBeNull()
    expect((await newPage().post("/auth/sign-in", OWNER)).status).toBe(401)
    await change("an engine of steel", OWNER.password)
  })

  test("is in the audit log, as are signing in and out and changes of the password", async () => {
    const { accountActivityLog } = await owner.graphql<{ accountActivityLog: { nodes: { activity: string }[] } }>(
      "{ accountActivityLog(scope: USER, first: 50) { nodes { activity } } }",
    )
    const noted = new Set(accountActivityLog.nodes.map(({ activity }) => activity))
    for (const activity of ["PASSWORD_SET", "SIGNED_IN", "SIGNED_OUT", "SESSION_REVOKED", "PASSWORD_CHANGED"])
      expect(noted).toContain(activity)
  })
})

describe("an invitation by link", () => {
  const invite = async (page: PageClient, input: object): Promise<string> => {
    const { inviteUser } = await page.graphql<{
      inviteUser: { invited: { invitationLink: string; personalApiKey: null } }
    }>(
      `mutation ($input: InviteUserInput!) {
        inviteUser(input: $input) { invited { personalApiKey invitationLink } userErrors { message } } }`,
      { input: { byLink: true, ...input } },
    )
    expect(inviteUser.invited.personalApiKey).toBeNull()
    expect(inviteUser.invited.invitationLink.startsWith(`${api.url}/invitation?token=`)).toBe(true)
    return tokenIn(inviteUser.invited.invitationLink)
  }

  test("lets somebody new set a name and a password, once", async () => {
    const token = await invite(owner, { email: "grace@example.test", role: "ADMIN" })
    const page = newPage()
    const accept = (changes: object) =>
      page.post("/auth/invitation", { token, name: "Grace Hopper", password: "nanoseconds of wire", ...changes })
    expect(await accept({ name: " " })).toMatchObject({ status: 400, body: { attr: "name" } })
    expect(await accept({})).toMatchObject({ status: 200, body: { user: { name: "Grace Hopper" } } })
    expect(await page.graphql(ME)).toMatchObject({ me: { organizations: [{ role: "ADMIN" }] } })
    expect(await accept({})).toMatchObject({ status: 400, body: { attr: "token" } })
  })

  test("of somebody who has a password takes that password, and keeps it", async () => {
    const { createOrganization } = await owner.graphql<{ createOrganization: { organization: { uuid: string } } }>(
      'mutation { createOrganization(input: { name: "Second" }) { organization { uuid } userErrors { message } } }',
    )
    const organizationId = createOrganization.organization.uuid
    const token = await invite(owner, { email: "grace@example.test", organizationId })
    const page = newPage()
    const accept = (password: string) => page.post("/auth/invitation", { token, name: "Eve", password })
    expect(await accept("what an inviter chose")).toMatchObject({ status: 401, body: WRONG })
    expect(await accept("nanoseconds of wire")).toMatchObject({ status: 200, body: { user: { name: "Grace Hopper" } } })
    const { me } = await page.graphql<{ me: { organizations: { name: string }[] } }>(ME)
    expect(me.organizations.map(({ name }) => name).sort()).toEqual(["My organization", "Second"])
  })

  test("of somebody who has a key but no password is not taken by link: who invites would become them", async () => {
    await owner.graphql(
      'mutation { inviteUser(input: { email: "key@example.test" }) { invited { personalApiKey } userErrors { message } } }',
    )
    const { createOrganization } = await owner.graphql<{ createOrganization: { organization: { uuid: string } } }>(
      'mutation { createOrganization(input: { name: "Third" }) { organization { uuid } userErrors { message } } }',
    )
    const organizationId = createOrganization.organization.uuid
    const token = await invite(owner, { email: "key@example.test", organizationId })
    const taken = await newPage().post("/auth/invitation", { token, name: "Eve", password: "what an inviter chose" })
    expect(taken).toMatchObject({ status: 401, body: WRONG })
  })
})

describe("a link that resets a password", () => {
  const CREATE = `mutation ($id: ID!) {
    createPasswordResetLink(input: { userId: $id }) { link { url } userErrors { message } } }`
  const findUser = async (email: string): Promise<string> => {
    const { users } = await owner.graphql<{ users: { nodes: { id: string; email: string }[] } }>(
      "{ users { nodes { id email } } }",
    )
    return users.nodes.find((user) => user.email === email)?.id ?? ""
  }

  test("is made by an owner of all that the user belongs to, works once and ends every session", async () => {
    const grace = await signIn("grace@example.test", "nanoseconds of wire")
    const id = await findUser("grace@example.test")
    const ownerId = await findUser(OWNER.email)
    await expect(grace.graphql(CREATE, { id: ownerId })).rejects.toThrow(/role of owner in every organization/)
    const made = await owner.graphql<{ createPasswordResetLink: { link: { url: string } } }>(CREATE, { id })
    const token = tokenIn(made.createPasswordResetLink.link.url)
    const page = newPage()
    const reset = (password: string) => page.post("/auth/reset-password", { token, password })
    expect(await reset("short")).toMatchObject({ status: 400, body: { attr: "password" } })
    expect(await reset("picoseconds of wire")).toMatchObject({ status: 200, body: { user: { name: "Grace Hopper" } } })
    expect(await reset("femtoseconds of wire")).toMatchObject({ status: 400, body: { attr: "token" } })
    expect(await grace.faultOf(ME)).toBe("UNAUTHENTICATED")
    expect(await page.faultOf(ME)).toBeNull()
    await signIn("grace@example.test", "picoseconds of wire")
  })
})

describe("whoever runs the server", () => {
  const runAdmin = (...parameters: string[]) =>
    spawnSync(process.execPath, ["dist/admin.js", ...parameters], {
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), DATA_DIR: server.dataDirectory, PUBLIC_URL: api.url },
      encoding: "utf8",
    })

  test("makes a link for everybody, beside the running server", async () => {
    const { stdout } = runAdmin("reset-password", OWNER.email)
    expect(stdout).toMatch(/^http:\S+\/reset-password\?token=phl_\w{43}\n$/)
    const page = newPage()
    const { status } = await page.post("/auth/reset-password", { token: tokenIn(stdout), password: OWNER.password })
    expect(status).toBe(200)
    expect(await owner.faultOf(ME)).toBe("UNAUTHENTICATED")
    owner = page
  })

  test("is told in a line what is wrong", () => {
    expect(runAdmin("reset-password", "nobody@example.test")).toMatchObject({
      status: 1,
      stderr: "There is no user nobody@example.test.\n",
    })
    expect(runAdmin("make-coffee").stderr).toBe(
      "Usage: npm run admin -- reset-password EMAIL | remove-second-factor EMAIL | reencrypt-payloads\n",
    )
  })
})

describe("a provider of OpenID Connect", () => {
  const emailOf = async (page: PageClient) =>
    (await page.graphql<{ me: { email: string } }>("{ me { email } }")).me.email

  test("lets somebody new in, with the role that the operator chose, and knows them again", async () => {
    const page = newPage()
    expect(await signInAtProvider(page, "linus@example.test")).toBe("/")
    expect(await page.graphql(ME)).toEqual({
      me: { email: "linus@example.test", organizations: [{ name: "My organization", role: "VIEWER" }] },
    })
    expect(await page.get("/auth/session")).toMatchObject({ body: { user: { name: "Name of linus@example.test" } } })
    const again = newPage()
    await signInAtProvider(again, "linus@example.test")
    const { users } = await owner.graphql<{ users: { nodes: { email: string }[] } }>("{ users { nodes { email } } }")
    expect(users.nodes.filter(({ email }) => email === "linus@example.test")).toHaveLength(1)
  })

  test("lets in who was invited, and ends what somebody else may have prepared", async () => {
    const prepared = await signIn("grace@example.test", "picoseconds of wire")
    const page = newPage()
    await signInAtProvider(page, "grace@example.test")
    expect(await emailOf(page)).toBe("grace@example.test")
    expect(await prepared.faultOf(ME)).toBe("UNAUTHENTICATED")
    const gone = { email: "grace@example.test", password: "picoseconds of wire" }
    expect((await newPage().post("/auth/sign-in", gone)).status).toBe(401)
  })

  test("lets nobody in whose address is not verified or of another domain", async () => {
    for (const login of ["unverified@example.test", "ada@elsewhere.test", `ada@elsewhere.test@notexample.test`]) {
      const page = newPage()
      expect(await signInAtProvider(page, login)).toBe("/sign-in?problem=oidc-address")
      expect(page.cookie).toBeNull()
    }
  })

  test("lets nobody in by an answer that another browser asked for, or that nobody did", async () => {
    const answers = [
      "code=x&state=y",
      `code=x&state=y&iss=${encodeURIComponent(provider.issuer)}`,
      "error=access_denied",
    ]
    for (const answer of answers) {
      const page = newPage()
      const { status, headers } = await page.get(`/auth/oidc/callback?${answer}`)
      expect({ status, location: headers.get("location") }).toEqual({
        status: 302,
        location: "/sign-in?problem=oidc-failed",
      })
      expect(page.cookie).toBeNull()
    }
  })
})

describe("guesses", () => {
  test("of one account are refused after ten wrong ones, the right password too", async () => {
    const guess = (password: string) => newPage().post("/auth/sign-in", { email: OWNER.email, password })
    let refused = await guess("wrong number 1")
    for (let wrong = 2; wrong <= 11 && refused.status === 401; wrong++) refused = await guess(`wrong number ${wrong}`)
    expect(refused).toMatchObject({ status: 429, body: { type: "throttled_error" } })
    expect(refused.headers.get("retry-after")).toBe("900")
    expect((await guess(OWNER.password)).status).toBe(429)
    expect(await owner.faultOf(ME)).toBeNull()
  })
})

/** What a socket answers about its caller: the address, or the code of the refusal. */
async function openSocket(page: PageClient, given: { origin: string; parameters: Record<string, unknown> }) {
  const client = connect(page, given)
  try {
    const answer = await new Promise<{ data?: { me?: { email: string } | null } | null; errors?: readonly unknown[] }>(
      (resolve, reject) =>
        void client.subscribe<{ me: { email: string } }>(
          { query: "{ me { email } }" },
          { next: (result) => resolve(result), error: reject, complete: () => undefined },
        ),
    )
    return answer.data?.me?.email ?? /UNAUTHENTICATED/.exec(JSON.stringify(answer.errors))?.[0]
  } finally {
    await client.dispose()
  }
}

function connect(
  page: PageClient,
  { origin, parameters }: { origin: string; parameters: Record<string, unknown> },
): Client {
  class BrowserSocket extends WebSocket {
    constructor(address: string, protocols?: string | string[]) {
      super(address, protocols, { headers: { cookie: page.cookie ?? "" }, origin })
    }
  }
  const url = `${page.url.replace("http", "ws")}/graphql`
  return createClient({ url, webSocketImpl: BrowserSocket, retryAttempts: 0, connectionParams: parameters })
}

/** Follows live events on a socket of the page. */
function closeOfSocket(page: PageClient) {
  const client = connect(page, { origin: page.url, parameters: { console: true } })
  const opened = new Promise((resolve) => client.on("connected", resolve))
  const code = new Promise<number>((resolve) =>
    client.on("closed", (event) => resolve((event as { code: number }).code)),
  )
  client.subscribe(
    { query: "subscription { liveEvents { uuid } }" },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  )
  return { opened, code }
}
