import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../../src/features/projects/index.js"
import { asUserId } from "../../../../src/kernel/ids.js"
import { startTenancyApp, type TenancyApp } from "../tenancy-app.js"

const OWNER = "phx_owner_of_everything"

describe("users and organizations", () => {
  let app: TenancyApp
  let colleague: string
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, { projectApiKey: "phc_first_project", personalApiKey: OWNER })
    colleague = await invite('email: "Zoë@example.test", firstName: "Zoë", keyScopes: ["project:write", "user:read"]')
  })
  afterAll(() => app.stop())

  const invite = async (args: string, key = OWNER): Promise<string> =>
    (await app.data(key, `mutation { inviteUser(${args}) { personalApiKey user { id } } }`)).inviteUser.personalApiKey
  const idOf = async (key: string): Promise<number> => (await app.data(key, "{ me { id } }")).me.id
  const messageOf = async (source: string, key = OWNER) => (await app.run(key, source)).errors?.[0]?.message

  test("an invited user gets a key of their own and lands in the organization's project", async () => {
    const { me } = await app.data(
      colleague,
      "{ me { firstName email roleAtOrganization currentProjectId scopes organizations { name role } } }",
    )
    expect(me).toEqual({
      firstName: "Zoë",
      email: "zoë@example.test",
      roleAtOrganization: null,
      currentProjectId: 1,
      scopes: ["project:write", "user:read"],
      organizations: [{ name: "My organization", role: "MEMBER" }],
    })
  })

  test("an organization shows its projects to keys that may read it, and to no others", async () => {
    const source = "{ me { organizations { projects { id } } } }"
    expect((await app.data(colleague, source)).me.organizations).toEqual([{ projects: null }])
    expect((await app.data(OWNER, source)).me.organizations).toEqual([{ projects: [{ id: 1 }] }])
    const { organizations } = await app.data(OWNER, "{ organizations { totalCount nodes { name projects { id } } } }")
    expect(organizations).toEqual({ totalCount: 1, nodes: [{ name: "My organization", projects: [{ id: 1 }] }] })
  })

  test("an organization may refuse the keys of its members, not of its admins, from one moment to the next", async () => {
    const { me } = await app.data(OWNER, "{ me { organizations { id membersCanUsePersonalApiKeys } } }")
    const [{ id, membersCanUsePersonalApiKeys }] = me.organizations
    expect(membersCanUsePersonalApiKeys).toBe(true)
    const admin = await invite('email: "adam@example.test", role: ADMIN, keyScopes: ["*"]')
    const allow = (isAllowed: boolean) =>
      app.data(
        admin,
        `mutation { updateOrganization(id: "${id}", membersCanUsePersonalApiKeys: ${isAllowed}) {
          name membersCanUsePersonalApiKeys role } }`,
      )
    expect(await allow(false)).toEqual({
      updateOrganization: { name: "My organization", membersCanUsePersonalApiKeys: false, role: "ADMIN" },
    })
    expect(await messageOf("{ project { id } }", colleague)).toMatch(
      /^Organization 'My organization' does not allow using personal API keys\./,
    )
    expect(await messageOf("{ me { id } }", colleague)).toBeUndefined()
    const visible = "{ me { currentProject { id } organizations { id } } projects { totalCount } }"
    expect(await app.data(colleague, visible)).toEqual({
      me: { currentProject: null, organizations: [] },
      projects: { totalCount: 0 },
    })
    expect(await messageOf("{ project { id } }", admin)).toBeUndefined()
    await allow(true)
    expect(await messageOf("{ project { id } }", colleague)).toBeUndefined()
    await app.data(
      OWNER,
      `mutation { removeOrganizationMember(organizationId: "${id}", userId: ${await idOf(admin)}) }`,
    )
  })

  test("an organization is changed by its admins, and its name is not blank", async () => {
    const { me } = await app.data(OWNER, "{ me { organizations { id } } }")
    const rename = (name: string) =>
      `mutation { updateOrganization(id: "${me.organizations[0].id}", name: "${name}") { name } }`
    expect(await messageOf(rename(" "))).toBe("This field may not be blank.")
    expect(await messageOf(rename("Mine"), colleague)).toBe("API key missing required scope 'organization:write'")
    expect(await app.data(OWNER, rename("My organization"))).toEqual({
      updateOrganization: { name: "My organization" },
    })
  })

  test("an address is one user, whatever its capitals", async () => {
    expect(await messageOf('mutation { inviteUser(email: "ZOË@example.test") { user { id } } }')).toBe(
      "This user is already in the organization.",
    )
    expect(await messageOf('mutation { inviteUser(email: "no address") { user { id } } }')).toBe(
      "email must be an e-mail address.",
    )
  })

  test("an address invited twice at once becomes one user", async () => {
    const source = 'mutation { inviteUser(email: "twin@example.test") { user { id } } }'
    const outcomes = await Promise.all([app.run(OWNER, source), app.run(OWNER, source)])
    expect(outcomes.map(({ errors }) => errors?.[0]?.message ?? "invited").sort()).toEqual([
      "This user is already in the organization.",
      "invited",
    ])
    const [twin] = (await app.data(OWNER, "{ users { nodes { id email } } }")).users.nodes.slice(-1)
    const { me } = await app.data(OWNER, "{ me { organizations { id } } }")
    await app.data(
      OWNER,
      `mutation { removeOrganizationMember(organizationId: "${me.organizations[0].id}", userId: ${twin?.id}) }`,
    )
  })

  test("a member cannot change the organization", async () => {
    expect(await messageOf('mutation { updateProject(name: "x") { id } }', colleague)).toBe(
      "This needs the role of admin in the organization; yours is member.",
    )
    expect(await messageOf('mutation { createProject(name: "x") { id } }', colleague)).toMatch(/role of admin/)
  })

  test("users are listed only to those who share an organization with them", async () => {
    const { createOrganization } = await app.data(OWNER, 'mutation { createOrganization(name: "Ostatní") { id role } }')
    expect(createOrganization.role).toBe("OWNER")
    const stranger = await invite(`organizationId: "${createOrganization.id}", email: "s@example.test", role: OWNER`)
    const ofStranger = await app.data(stranger, "{ users { totalCount nodes { email } } }")
    expect(ofStranger.users.nodes.map(({ email }) => email)).toEqual(["owner@localhost", "s@example.test"])
    expect((await app.data(OWNER, "{ users { totalCount } }")).users.totalCount).toBe(3)
    expect(await messageOf("{ project(id: 1) { id } }", stranger)).toBeDefined()
    expect(await messageOf("{ project { id } }", stranger)).toBe("Project not found.")
  })

  test("a key bound to an organization reaches no other", async () => {
    const { createOrganization } = await app.data(OWNER, 'mutation { createOrganization(name: "Fourth") { id } }')
    const { createPersonalApiKey } = await app.data(
      OWNER,
      `mutation { createPersonalApiKey(label: "org", scopes: ["*"], organizationIds: ["${createOrganization.id}"]) { value } }`,
    )
    const bound = createPersonalApiKey.value
    expect(await messageOf("{ project(id: 1) { id } }", bound)).toMatch(
      /^API key does not have access to the requested organization: ID /,
    )
    expect(
      (await app.data(bound, "{ projects { totalCount } me { currentProject { id } } }")).projects.totalCount,
    ).toBe(0)
    expect(await messageOf('mutation { createPersonalApiKey(label: "w", scopes: ["*"]) { id } }', bound)).toMatch(
      /cannot hand out access beyond/,
    )
  })

  test("a removed member loses access at once, and the last owner stays", async () => {
    const { me } = await app.data(OWNER, "{ me { id organizations { id name } } }")
    const first = me.organizations.find(({ name }) => name === "My organization")?.id
    const { me: zoe } = await app.data(colleague, "{ me { id } }")
    await app.data(OWNER, `mutation { removeOrganizationMember(organizationId: "${first}", userId: ${zoe.id}) }`)
    expect(await messageOf("{ project(id: 1) { id } }", colleague)).toBe("Project not found.")
    expect(await messageOf(`mutation { removeOrganizationMember(organizationId: "${first}", userId: ${me.id}) }`)).toBe(
      "An organization keeps at least one owner.",
    )
  })

  test("a role is changed by whoever stands above it, counts at once, and the last owner keeps theirs", async () => {
    const { me } = await app.data(OWNER, "{ me { id organizations { id name } } }")
    const id = me.organizations.find(({ name }) => name === "My organization")?.id
    const admin = await invite('email: "admin@example.test", role: ADMIN, keyScopes: ["*"]')
    const linus = await invite('email: "linus@example.test", keyScopes: ["*"]')
    const linusId = (await app.data(linus, "{ me { id } }")).me.id
    const change = (userId: number, role: string) =>
      `mutation { updateOrganizationMember(organizationId: "${id}", userId: ${userId}, role: ${role}) }`
    const rolesOf = async (key: string) =>
      (await app.data(key, "{ me { organizations { role } } }")).me.organizations.map(({ role }) => role)
    expect(await messageOf(change(linusId, "VIEWER"), linus)).toMatch(/role of admin/)
    await app.data(admin, change(linusId, "VIEWER"))
    expect(await rolesOf(linus)).toEqual(["VIEWER"])
    expect(await messageOf("{ project { name } }", linus)).toBeUndefined()
    expect(await messageOf(change(linusId, "OWNER"), admin)).toMatch(/role of owner/)
    expect(await messageOf(change(me.id, "MEMBER"), admin)).toBe("Only owners change the role of an owner.")
    expect(await messageOf(change(me.id, "MEMBER"))).toBe("An organization keeps at least one owner.")
    await app.data(OWNER, change(linusId, "OWNER"))
    expect(await rolesOf(linus)).toEqual(["OWNER"])
    const remove = (userId: number) =>
      `mutation { removeOrganizationMember(organizationId: "${id}", userId: ${userId}) }`
    await app.data(OWNER, remove(linusId))
    await app.data(OWNER, remove((await app.data(admin, "{ me { id } }")).me.id))
  })

  test("an organization lists its members with their roles, a page at a time, and to admins whom it has asked", async () => {
    const { createOrganization } = await app.data(OWNER, 'mutation { createOrganization(name: "Listed") { id } }')
    const { id } = createOrganization
    const viewer = await invite(`organizationId: "${id}", email: "v@example.test", role: VIEWER, keyScopes: ["*"]`)
    const asked = await app.data(
      OWNER,
      `mutation { inviteUser(organizationId: "${id}", email: "a@example.test", role: ADMIN, byLink: true) { user { id } } }`,
    )
    const list = (page: string) =>
      `{ organizationMembers(id: "${id}", ${page}) {
        totalCount nodes { role joinedAt user { email } } pageInfo { hasNextPage endCursor } } }`
    const { organizationMembers: first } = await app.data(viewer, list("first: 1"))
    expect(first).toMatchObject({ totalCount: 2, nodes: [{ role: "OWNER", user: { email: "owner@localhost" } }] })
    const { organizationMembers: second } = await app.data(
      viewer,
      list(`first: 1, after: "${first.pageInfo.endCursor}"`),
    )
    expect(second).toMatchObject({
      nodes: [{ role: "VIEWER", joinedAt: expect.any(String), user: { email: "v@example.test" } }],
      pageInfo: { hasNextPage: false },
    })
    const invitations = `{ organizationInvitations(id: "${id}") { userNumber email role } }`
    expect(await app.data(OWNER, invitations)).toEqual({
      organizationInvitations: [{ userNumber: asked.inviteUser.user.id, email: "a@example.test", role: "ADMIN" }],
    })
    expect(await messageOf(invitations, viewer)).toBe(
      "This needs the role of admin in the organization; yours is viewer.",
    )
    expect(await messageOf(list("first: 1"), colleague)).toBe("Organization not found.")
  })

  test("keys of a disabled user are refused", async () => {
    await app.database.pool.query("UPDATE app_user SET is_active = false WHERE email = 'zoë@example.test'")
    app.clock.advance(30_000)
    expect((await app.contextFor(colleague)).authenticationFault).toBe("invalid")
  })

  test("are loaded by number in one read", async () => {
    const loader = app.access.userLoader()
    const [owner, nobody] = await Promise.all([loader.load(asUserId(1)), loader.load(asUserId(4711))])
    expect(owner).toMatchObject({ id: 1, email: "owner@localhost", hedgehogConfig: null, isEmailVerified: false })
    expect(nobody).toBeNull()
  })

  test("change what is their own", async () => {
    const source =
      'mutation { updateMe(firstName: "Ada", hedgehogConfig: {color: "green"}, roleAtOrganization: "data") { firstName hedgehogConfig roleAtOrganization } }'
    expect((await app.data(OWNER, source)).updateMe).toEqual({
      firstName: "Ada",
      hedgehogConfig: { color: "green" },
      roleAtOrganization: "data",
    })
    expect(await messageOf("mutation { updateMe(currentProjectId: 99) { id } }")).toBe(
      "You have access to no project 99.",
    )
  })
})
