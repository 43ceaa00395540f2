import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../../src/features/projects/index.js"
import { startTenancyApp, type TenancyApp } from "../tenancy-app.js"

const OWNER = "phx_owner_of_everything"
const WEEK_MS = 7 * 24 * 3_600_000
const NOT_FOUND = "Invitation not found."

describe("invitations", () => {
  let app: TenancyApp
  /** A second organization, and the key that its owner got when the first organization invited them. */
  let second: { id: string; owner: string }
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, { projectApiKey: "phc_first_project", personalApiKey: OWNER })
    const { createOrganization } = await app.data(OWNER, 'mutation { createOrganization(name: "Druhá") { id } }')
    const { id } = createOrganization
    const { personalApiKey } = await invite(OWNER, `organizationId: "${id}", email: "b@b.test", role: OWNER`)
    second = { id, owner: personalApiKey }
    await app.data(second.owner, `mutation { createProject(name: "B", organizationId: "${id}") { id } }`)
  })
  afterAll(() => app.stop())

  const invite = async (key: string, args: string) => {
    const source = `mutation { inviteUser(${args}) { personalApiKey invitationToken user { id uuid firstName email } } }`
    return (await app.data(key, source)).inviteUser
  }
  const accept = (token: string) => `mutation { acceptInvitation(token: "${token}") { organizationId personalApiKey } }`
  const messageOf = async (source: string, key: string) => (await app.run(key, source)).errors?.[0]?.message
  const organizationsOf = async (key: string) =>
    (await app.data(key, "{ me { organizations { id name } } }")).me.organizations.map(({ name }) => name)
  const remove = (id: string, userId: number) =>
    `mutation { removeOrganizationMember(organizationId: "${id}", userId: ${userId}) }`
  const idOf = async (key: string) => (await app.data(key, "{ me { id } }")).me.id

  test("the first key of a new user is bound to the organization, however free the inviter's key is", async () => {
    const { personalApiKey: first, invitationToken } = await invite(OWNER, 'email: "new@a.test", keyScopes: ["*"]')
    expect(invitationToken).toBeNull()
    expect(await organizationsOf(first)).toEqual(["My organization"])
    expect(await messageOf('mutation { createOrganization(name: "Own") { id } }', first)).toMatch(/bound to organiz/)
  })

  test("who is known joins when they accept; the key that an inviter has seen never follows them", async () => {
    const { personalApiKey: seenByFirst } = await invite(
      OWNER,
      'email: "ada@a.test", firstName: "Ada", keyScopes: ["*"]',
    )
    const asked = await invite(second.owner, `organizationId: "${second.id}", email: "ADA@a.test"`)
    expect(asked).toMatchObject({ personalApiKey: null, user: { firstName: "", email: "ada@a.test" } })
    const members = async () => (await app.data(second.owner, "{ users { totalCount } }")).users.totalCount
    expect(await members()).toBe(2)
    expect(await messageOf("{ project(id: 2) { id } }", seenByFirst)).toBe("Project not found.")

    const { acceptInvitation: joined } = await app.data(seenByFirst, accept(asked.invitationToken))
    expect(joined).toEqual({ organizationId: second.id, personalApiKey: expect.stringMatching(/^phx_/) })
    expect(await members()).toBe(3)
    expect(await organizationsOf(seenByFirst)).toEqual(["My organization"])
    expect(await messageOf("{ project(id: 2) { id } }", seenByFirst)).toMatch(/requested organization/)
    expect(await organizationsOf(joined.personalApiKey)).toEqual(["Druhá"])
    expect(await messageOf("{ project(id: 2) { id } }", joined.personalApiKey)).toBeUndefined()
    expect(await messageOf(accept(asked.invitationToken), seenByFirst)).toBe(NOT_FOUND)
  })

  test("an inviter who has a key of a user neither sees nor ends the keys that the user has elsewhere", async () => {
    const { personalApiKey: seen } = await invite(OWNER, 'email: "mia@a.test", keyScopes: ["*"]')
    const { invitationToken } = await invite(second.owner, `organizationId: "${second.id}", email: "mia@a.test"`)
    const { acceptInvitation } = await app.data(seen, accept(invitationToken))
    const elsewhere = acceptInvitation.personalApiKey
    const keysOf = async (key: string) => (await app.data(key, "{ personalApiKeys { id } }")).personalApiKeys
    const [own, others] = [await keysOf(seen), await keysOf(elsewhere)]
    expect([own, others].map(({ length }) => length)).toEqual([1, 1])
    expect(others).not.toEqual(own)
    expect(await messageOf(`mutation { revokePersonalApiKey(id: "${others[0].id}") { id } }`, seen)).toBe("Not found.")
    const made = `createPersonalApiKey(label: "tajný", scopes: ["*"], organizationIds: ["${second.id}"]) { id }`
    await app.data(elsewhere, `mutation { ${made} }`)
    const logOf = async (key: string) =>
      JSON.stringify(await app.data(key, "{ accountActivityLog { nodes { scope changes } } }"))
    expect(await logOf(seen)).toContain("mia@a.test")
    expect(await logOf(seen)).not.toContain("tajný")
    expect(await organizationsOf(elsewhere)).toEqual(["Druhá"])
  })

  test("a key that is bound to nothing needs no other after joining", async () => {
    const { createOrganization } = await app.data(OWNER, 'mutation { createOrganization(name: "Třetí") { id } }')
    const { id } = createOrganization
    const { personalApiKey: third } = await invite(OWNER, `organizationId: "${id}", email: "c@c.test", role: OWNER`)
    await app.data(third, remove(id, await idOf(OWNER)))
    const { invitationToken } = await invite(third, `organizationId: "${id}", email: "owner@localhost", role: OWNER`)
    expect(await organizationsOf(OWNER)).not.toContain("Třetí")
    const { acceptInvitation } = await app.data(OWNER, accept(invitationToken))
    expect(acceptInvitation).toEqual({ organizationId: id, personalApiKey: null })
    expect(await organizationsOf(OWNER)).toContain("Třetí")
  })

  test("a token is of use to its user alone, until it is replaced, withdrawn or a week old", async () => {
    const { personalApiKey: eve } = await invite(OWNER, 'email: "eve@a.test", keyScopes: ["*"]')
    const { personalApiKey: mallory } = await invite(OWNER, 'email: "mallory@a.test", keyScopes: ["*"]')
    const ask = () => invite(second.owner, `organizationId: "${second.id}", email: "eve@a.test"`)
    const first = await ask()
    expect(await messageOf(accept(first.invitationToken), mallory)).toBe(NOT_FOUND)
    const again = await ask()
    expect(await messageOf(accept(first.invitationToken), eve)).toBe(NOT_FOUND)
    await app.data(second.owner, remove(second.id, again.user.id))
    expect(await messageOf(accept(again.invitationToken), eve)).toBe(NOT_FOUND)
    const late = await ask()
    app.clock.advance(WEEK_MS)
    expect(await messageOf(accept(late.invitationToken), eve)).toBe(NOT_FOUND)
    expect(await organizationsOf(eve)).toEqual(["My organization"])
  })

  test("no admin removes an owner, nor withdraws what makes somebody an owner", async () => {
    const { personalApiKey: admin } = await invite(
      second.owner,
      `organizationId: "${second.id}", email: "admin@b.test", role: ADMIN`,
    )
    const refused = "Only owners remove an owner."
    expect(await messageOf(remove(second.id, await idOf(second.owner)), admin)).toBe(refused)
    const { user } = await invite(second.owner, `organizationId: "${second.id}", email: "new@a.test", role: OWNER`)
    expect(await messageOf(remove(second.id, user.id), admin)).toBe(refused)
    const again = `mutation { inviteUser(organizationId: "${second.id}", email: "new@a.test") { user { id } } }`
    expect(await messageOf(again, admin)).toBe("Only owners change the invitation of an owner.")
    expect(await messageOf(`mutation { inviteUser(email: "x@b.test", role: OWNER) { user { id } } }`, admin)).toBe(
      "This needs the role of owner in the organization; yours is admin.",
    )
    await app.data(second.owner, remove(second.id, await idOf(OWNER)))
    await app.data(second.owner, remove(second.id, await idOf(admin)))
  })
})
