import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../../src/features/projects/index.js"
import { startTenancyApp, type TenancyApp } from "../tenancy-app.js"

const OWNER = "phx_owner_of_everything"
const ENTRIES = "totalCount nodes { scope itemId activity changes projectId user { email } }"

describe("the audit log", () => {
  let app: TenancyApp
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, { projectApiKey: "phc_first_project", personalApiKey: OWNER })
  })
  afterAll(() => app.stop())

  test("tells what became of a key and who did it, newest first, never its value", async () => {
    const { createPersonalApiKey: key } = await app.data(
      OWNER,
      'mutation { createPersonalApiKey(label: "läsare", scopes: ["query:read"]) { id value } }',
    )
    app.clock.advance(1_000)
    await app.data(OWNER, `mutation { rollPersonalApiKey(id: "${key.id}", overlapSeconds: 60) { id } }`)
    app.clock.advance(1_000)
    await app.data(OWNER, `mutation { revokePersonalApiKey(id: "${key.id}") { id } }`)
    const { accountActivityLog: log } = await app.data(
      OWNER,
      `{ accountActivityLog(scope: "PersonalApiKey", itemId: "${key.id}") { ${ENTRIES} } }`,
    )
    expect(log.totalCount).toBe(3)
    expect(log.nodes.map(({ activity }) => activity)).toEqual(["revoked", "rolled", "created"])
    expect(log.nodes[0]).toMatchObject({
      changes: { label: "läsare" },
      projectId: null,
      user: { email: "owner@localhost" },
    })
    expect(JSON.stringify(log)).not.toContain(key.value)
  })

  test("of a project has its changes, page by page", async () => {
    await app.data(OWNER, 'mutation { updateProject(name: "Neu") { id } }')
    app.clock.advance(1_000)
    await app.data(OWNER, "mutation { createProjectKey { id } }")
    const { activityLog: log } = await app.data(
      OWNER,
      `{ activityLog(first: 1) { ${ENTRIES} pageInfo { hasNextPage } } }`,
    )
    expect(log.totalCount).toBeGreaterThanOrEqual(2)
    expect(log).toMatchObject({ nodes: [{ projectId: 1 }], pageInfo: { hasNextPage: true } })
    const { activityLog: none } = await app.data(OWNER, '{ activityLog(scope: "Nothing") { totalCount } }')
    expect(none.totalCount).toBe(0)
  })

  test("of an account tells of its organizations, their members and the user's own changes", async () => {
    const { inviteUser: guest } = await app.data(
      OWNER,
      'mutation { inviteUser(email: "gäst@a.test") { user { id uuid } } }',
    )
    const { me } = await app.data(OWNER, "{ me { uuid organizations { id } } }")
    const [{ id: organization }] = me.organizations
    for (const change of [
      `removeOrganizationMember(organizationId: "${organization}", userId: ${guest.user.id})`,
      'updateMe(firstName: "Örjan") { id }',
      'createOrganization(name: "Filial") { id }',
    ]) {
      app.clock.advance(1_000)
      await app.data(OWNER, `mutation { ${change} }`)
    }
    const { accountActivityLog: log } = await app.data(OWNER, `{ accountActivityLog(first: 4) { ${ENTRIES} } }`)
    const user = { email: "owner@localhost" }
    expect(log.nodes).toMatchObject([
      { scope: "Organization", activity: "created", changes: { name: "Filial" }, user },
      { scope: "User", itemId: me.uuid, activity: "updated", changes: { firstName: "Örjan" }, user },
      {
        scope: "OrganizationMember",
        itemId: guest.user.uuid,
        activity: "removed",
        user,
        changes: { email: "gäst@a.test", role: "member" },
      },
      { scope: "OrganizationMember", itemId: guest.user.uuid, activity: "invited", user },
    ])
  })

  test("shows nothing of another organization or of another user's keys", async () => {
    const { inviteUser: colleague } = await app.data(
      OWNER,
      'mutation { inviteUser(email: "zoe@a.test", keyScopes: ["*"]) { personalApiKey } }',
    )
    const { createOrganization: other } = await app.data(
      OWNER,
      'mutation { createOrganization(name: "Drüben") { id } }',
    )
    await app.data(OWNER, `mutation { createProject(name: "Geheim", organizationId: "${other.id}") { id } }`)
    await app.data(OWNER, 'mutation { createPersonalApiKey(label: "privat", scopes: ["query:read"]) { id } }')
    const { accountActivityLog: log } = await app.data(
      colleague.personalApiKey,
      `{ accountActivityLog(first: 1000) { ${ENTRIES} } }`,
    )
    expect(JSON.stringify(log)).not.toMatch(/privat|Drüben|Geheim/)
    const reader = await app.data(
      OWNER,
      'mutation { createPersonalApiKey(label: "ohne", scopes: ["query:read"]) { value } }',
    )
    const { errors } = await app.run(reader.createPersonalApiKey.value, "{ activityLog { totalCount } }")
    expect(errors?.[0]?.message).toBe("API key missing required scope 'activity_log:read'")
  })
})
