import { beforeEach, describe, expect, test } from "@jest/globals"
import type { KeyGrant, Member } from "../../../../src/features/access/access.types.js"
import { type Authenticator, createAuthenticator } from "../../../../src/features/access/authentication/authenticate.js"
import type { CredentialStore } from "../../../../src/features/access/authentication/credential.store.js"
import { createSecret, hashSecret } from "../../../../src/features/access/keys/key-secret.js"
import { AppError } from "../../../../src/kernel/errors.js"
import { asProjectId, asUserId, type ProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createManualClock, type ManualClock } from "../../../support/manual-clock.js"

const KEY = "phx_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
const HOUR_MS = 3_600_000

/** Keys and users in memory that count how often they are asked. */
class InMemoryCredentials implements CredentialStore {
  readonly keys = new Map<string, KeyGrant>()
  readonly secrets = new Map<string, ProjectId>()
  readonly members = new Map<number, Member>()
  readonly touched: [string, number][] = []
  reads = 0
  isDown = false

  findKey = async (hash: string): Promise<KeyGrant | null> => {
    this.reads++
    if (this.isDown) throw new AppError("store_unavailable")
    return this.keys.get(hash) ?? null
  }
  findProjectSecret = async (hash: string): Promise<ProjectId | null> => {
    this.reads++
    return this.secrets.get(hash) ?? null
  }
  findMember = async (userId: number): Promise<Member | null> => this.members.get(userId) ?? null
  touchKey = async (keyId: string, usedAtMs: number): Promise<void> => {
    this.touched.push([keyId, usedAtMs])
  }
}

describe("authentication", () => {
  let credentials: InMemoryCredentials
  let clock: ManualClock
  let authenticator: Authenticator
  const grant = (changes: Partial<KeyGrant> = {}): KeyGrant => ({
    keyId: "key-1",
    userId: asUserId(5),
    scopes: ["query:read"],
    projectIds: null,
    organizationIds: null,
    hash: hashSecret(KEY),
    expiresAtMs: null,
    lastUsedAtMs: null,
    ...changes,
  })
  const inHeader = (key = KEY) => authenticator.authenticate({ authorization: `Bearer ${key}` })

  beforeEach(() => {
    credentials = new InMemoryCredentials()
    clock = createManualClock(Date.UTC(2026, 1, 28))
    authenticator = createAuthenticator(credentials, clock, silentLogger)
    credentials.keys.set(hashSecret(KEY), grant())
    credentials.members.set(5, {
      userId: asUserId(5),
      isActive: true,
      currentProjectId: null,
      roles: new Map(),
      closedToKeys: new Map(),
    })
  })

  test("hashes and masks keys as they are kept at rest", () => {
    expect(hashSecret("test_key_12345")).toBe("sha256$45af89b510a3279a817f851de5d3f95b73485d58ec2672a39e52d8aeeb014059")
    const ids = { uuidV7: () => "an id" }
    expect(createSecret(ids, KEY)).toEqual({ id: "an id", hash: hashSecret(KEY), maskedValue: "phx_...DEFG" })
    expect(createSecret(ids, "phx_short").maskedValue).toBe("phx_...")
  })

  test("looks wrong keys up as often as the caller may try, and keys that were valid once without asking", async () => {
    const noted: string[] = []
    let isSpent = false
    const lookUps = {
      admit: () => {
        if (isSpent) throw new AppError("rate_limited")
      },
      noteWrong: () => void noted.push("wrong"),
    }
    const ask = (key: string) => authenticator.authenticate({ authorization: `Bearer ${key}` }, lookUps)
    expect((await ask(KEY)).authenticationFault).toBeNull()
    expect((await ask(`${KEY}x`)).authenticationFault).toBe("invalid")
    expect(noted).toEqual(["wrong"])
    isSpent = true
    clock.advance(HOUR_MS)
    const readsBefore = credentials.reads
    await expect(ask(`${KEY}y`)).rejects.toMatchObject({ code: "rate_limited" })
    expect(credentials.reads).toBe(readsBefore)
    expect((await ask(KEY)).authenticationFault).toBeNull()
    expect(noted).toEqual(["wrong"])
  })

  test("takes a project's secret key for its project, never for a user, and forgets it with the others", async () => {
    const value = "phs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
    expect(await inHeader(value)).toMatchObject({
      authenticationFault: "invalid",
      credentialKind: "project secret key",
    })
    credentials.secrets.set(hashSecret(value), asProjectId(3))
    const good = { principal: null, authenticationFault: null, secretProjectId: 3 }
    expect(await inHeader(value)).toMatchObject(good)
    credentials.secrets.clear()
    expect(await inHeader(value)).toMatchObject(good)
    authenticator.invalidate()
    expect(await inHeader(value)).toMatchObject({ authenticationFault: "invalid", secretProjectId: null })
    const reads = credentials.reads
    expect(await inHeader(`phs_${"x".repeat(200)}`)).toMatchObject({ authenticationFault: "invalid" })
    expect(credentials.reads).toBe(reads)
  })

  test("finds a key in the header, the JSON body or the query string, in this order", async () => {
    const sources = [
      { authorization: `Bearer ${KEY}` },
      { authorization: `bearer   ${KEY} ` },
      { authorization: "Basic abc", body: { personal_api_key: KEY } },
      { body: { personal_api_key: 7 }, queryParameter: KEY },
    ]
    const found = await Promise.all(sources.map((source) => authenticator.authenticate(source)))
    expect(found.map(({ principal }) => principal?.keyId)).toEqual(["key-1", "key-1", "key-1", "key-1"])
    expect(found.map(({ credentialSource }) => credentialSource)).toEqual([
      "Authorization header",
      "Authorization header",
      "body",
      "query string",
    ])
    const wrongFirst = await authenticator.authenticate({ authorization: "Bearer phx_wrong", queryParameter: KEY })
    expect(wrongFirst).toMatchObject({
      principal: null,
      authenticationFault: "invalid",
      credentialSource: "Authorization header",
    })
  })

  test("tells an absent key from an invalid one", async () => {
    for (const source of [{}, { authorization: "" }, { authorization: "Bearer " }, { body: [], queryParameter: "" }]) {
      expect((await authenticator.authenticate(source)).authenticationFault).toBe("absent")
    }
  })

  test.each(["phc_project_key", "nonsense", `phx_${"x".repeat(100_000)}`, "phx_ä", "phx_a b"])(
    "refuses %.20s without asking the store",
    async (key) => {
      expect((await inHeader(key)).authenticationFault).toBe("invalid")
      expect(credentials.reads).toBe(0)
    },
  )

  test("refuses keys of disabled and of deleted users", async () => {
    const disabled: Member = {
      userId: asUserId(5),
      isActive: false,
      currentProjectId: null,
      roles: new Map(),
      closedToKeys: new Map(),
    }
    credentials.members.set(5, disabled)
    expect((await inHeader()).authenticationFault).toBe("invalid")
    authenticator.invalidate()
    credentials.members.delete(5)
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("refuses an expired value from the moment it expires, remembered or not", async () => {
    credentials.keys.set(hashSecret(KEY), grant({ expiresAtMs: clock.now() + 1000 }))
    expect((await inHeader()).authenticationFault).toBeNull()
    clock.advance(1000)
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("asks the store once for many requests at a time, and again within 30 s", async () => {
    await Promise.all(Array.from({ length: 20 }, () => inHeader()))
    expect(credentials.reads).toBe(1)
    credentials.keys.clear()
    clock.advance(29_999)
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("asks again after the machine's clock was set back", async () => {
    await inHeader()
    credentials.keys.clear()
    clock.advance(-86_400_000)
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("refuses a revoked key at once when told of the change", async () => {
    await inHeader()
    credentials.keys.clear()
    authenticator.invalidate()
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("does not remember what was read before a change was told", async () => {
    const slow = inHeader()
    credentials.keys.clear()
    authenticator.invalidate()
    await slow
    expect((await inHeader()).authenticationFault).toBe("invalid")
  })

  test("goes on with remembered keys while the store is away, and says so for others", async () => {
    await inHeader()
    credentials.isDown = true
    expect((await inHeader()).authenticationFault).toBeNull()
    await expect(inHeader("phx_another")).rejects.toMatchObject({ code: "store_unavailable" })
  })

  test("writes down the use of a key at most once an hour", async () => {
    const start = clock.now()
    await inHeader()
    clock.advance(HOUR_MS - 1)
    await inHeader()
    clock.advance(1)
    await inHeader()
    await authenticator.flush()
    expect(credentials.touched).toEqual([
      ["key-1", start],
      ["key-1", start + HOUR_MS],
    ])
  })
})
