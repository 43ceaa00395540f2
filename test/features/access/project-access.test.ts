import { describe, expect, test } from "@jest/globals"
import type { Member, ProjectLookup } from "../../../src/features/access/access.types.js"
import { createProjectAccess } from "../../../src/features/access/project-access.js"
import { asOrganizationId, asProjectId, asUserId } from "../../../src/kernel/ids.js"
import type { Principal, RequestContext } from "../../../src/kernel/request-context.js"

const MINE = asOrganizationId("0190aaaa-0000-7000-8000-000000000001")
const THEIRS = asOrganizationId("0190aaaa-0000-7000-8000-000000000002")
const OWNERS = new Map([
  [asProjectId(1), MINE],
  [asProjectId(2), MINE],
  [asProjectId(3), THEIRS],
])
const lookup: ProjectLookup = {
  findOrganizationId: async (id) => OWNERS.get(id) ?? null,
  findOwnOrganizationId: async (id, ownIds) => [OWNERS.get(id)].find((owner) => owner && ownIds.has(owner)) ?? null,
  findByKey: async (token) =>
    ({ phc_second: { id: asProjectId(2) }, phc_third: { id: asProjectId(3) } })[token] ?? null,
  findFirstProjectId: async (ids) => [...OWNERS].find(([, owner]) => ids.includes(owner))?.[0] ?? null,
}
const member = (currentProjectId: number | null = 1): Member => ({
  userId: asUserId(9),
  isActive: true,
  currentProjectId: currentProjectId === null ? null : asProjectId(currentProjectId),
  roles: new Map([[MINE, "member"]]),
  closedToKeys: new Map(),
})
const contextOf = (principal: Partial<Principal> | null, fault: Partial<RequestContext> = {}): RequestContext =>
  ({
    principal: principal && {
      userId: asUserId(9),
      keyId: "key",
      scopes: ["*"],
      projectIds: null,
      organizationIds: null,
      ...principal,
    },
    authenticationFault: null,
    ...fault,
  }) as RequestContext

const open = (caller: Partial<Principal> | null, project: string, scope = "query:read", standing = member()) =>
  createProjectAccess({ findMember: async () => standing, projects: lookup }).requireProject(
    contextOf(caller),
    project,
    scope,
  )
const refusal = async (attempt: Promise<unknown>) => {
  const error = await attempt.then(
    () => null,
    (thrown) => thrown,
  )
  return [error?.code, error?.message]
}

describe("the door to a project, for its secret key", () => {
  const door = createProjectAccess({ findMember: async () => member(), projects: lookup })
  const context = contextOf(null, { secretProjectId: asProjectId(2) })
  const rule = { openToSecretKeys: true }

  test.each(["@current", "2", "phc_second"])("opens to operations that say so, the project named %s", async (name) => {
    expect(await door.requireProject(context, name, "feature_flag:read", rule)).toBe(2)
  })

  test("makes it wait when it asks too often", async () => {
    const busy = contextOf(null, { secretProjectId: asProjectId(2), throttledForSeconds: 9 })
    expect((await refusal(door.requireProject(busy, "2", "feature_flag:read", rule)))[0]).toBe("rate_limited")
  })

  test("stays shut for other projects and other operations, and for whatever belongs to a user", async () => {
    const attempts = [
      door.requireProject(context, "1", "feature_flag:read", rule),
      door.requireProject(context, "abc", "feature_flag:read", rule),
      door.requireProject(context, "phc_third", "feature_flag:read", rule),
      door.requireProject(context, "phc_nobody", "feature_flag:read", rule),
      door.requireProject(context, "2", "feature_flag:read"),
      door.requirePrincipal(context, "user:read", { openToBoundKeys: true }),
    ]
    for (const attempt of attempts) expect((await refusal(attempt))[0]).toBe("permission_denied")
  })
})

describe("the door to a project", () => {
  test("opens by number and by @current", async () => {
    expect(await open({}, "2")).toBe(2)
    expect(await open({}, "@current")).toBe(1)
  })

  test("opens by the public key of the project, as SDKs name it, and refuses others alike", async () => {
    expect(await open({}, "phc_second")).toBe(2)
    const unknown = await refusal(open({}, "phc_nobody"))
    expect(unknown[0]).toBe("invalid_project_key")
    expect(await refusal(open({}, "phc_third"))).toEqual(unknown)
  })

  test("is shut to viewers who would change something, and lets them read and note what is theirs", async () => {
    const viewer: Member = { ...member(), roles: new Map([[MINE, "viewer"]]) }
    expect(await open({}, "1", "query:read", viewer)).toBe(1)
    const refused = ["permission_denied", "Viewers change nothing. This needs the role of member in the organization."]
    expect(await refusal(open({}, "1", "cohort:write", viewer))).toEqual(refused)
    expect(await refusal(open({ sessionId: "s" }, "1", "cohort:write", viewer))).toEqual(refused)
    const door = createProjectAccess({ findMember: async () => viewer, projects: lookup })
    const rule = { openToViewers: true }
    expect(await door.requireProject(contextOf({}), "1", "session_recording:write", rule)).toBe(1)
  })

  test("takes no key of members where their organization wants none, and takes their sessions", async () => {
    const closed: Member = { ...member(), closedToKeys: new Map([[MINE, "Mine"]]) }
    expect((await refusal(open({}, "1", "query:read", closed)))[0]).toBe("permission_denied")
    expect(await open({ sessionId: "s" }, "1", "query:read", closed)).toBe(1)
  })

  test("takes the oldest project of the user's organizations when none was chosen", async () => {
    expect(await open({}, "@current", "query:read", member(null))).toBe(1)
  })

  test.each(["4711", "abc", "0", "-1", "1.0", "99999999999999999999", "2147483648", "", "../1"])(
    "answers 404 for project %j",
    async (raw) => {
      expect(await refusal(open({}, raw))).toEqual(["not_found", "Project not found."])
    },
  )

  test("is shut without a key", async () => {
    const attempt = createProjectAccess({ findMember: async () => member(), projects: lookup })
    const absent = contextOf(null, { authenticationFault: "absent" })
    expect(await refusal(attempt.requireProject(absent, "1", "query:read"))).toEqual([
      "not_authenticated",
      "Authentication credentials were not provided.",
    ])
  })

  test.each(["Authorization header", "body", "query string"])(
    "names the %s as the place of a bad key",
    async (where) => {
      const access = createProjectAccess({ findMember: async () => member(), projects: lookup })
      const invalid = contextOf(null, { authenticationFault: "invalid", credentialSource: where })
      expect(await refusal(access.requirePrincipal(invalid, "user:read"))).toEqual([
        "authentication_failed",
        `Personal API key found in request ${where} is invalid.`,
      ])
    },
  )

  test("answers for a project of others as for one that there is not, whatever the key may do", async () => {
    const unknown = await refusal(open({}, "77"))
    const callers = [{}, { scopes: [] }, { projectIds: [asProjectId(2)] }, { organizationIds: [MINE] }]
    for (const caller of callers) expect(await refusal(open(caller, "3"))).toEqual(unknown)
  })

  test("checks project, then bindings, then scope", async () => {
    const bound = { projectIds: [asProjectId(2)], organizationIds: [THEIRS], scopes: [] }
    expect(await refusal(open(bound, "77"))).toEqual(["not_found", "Project not found."])
    expect(await refusal(open(bound, "1"))).toEqual([
      "permission_denied",
      "API key does not have access to the requested project: ID 1.",
    ])
    expect(await refusal(open(bound, "2"))).toEqual([
      "permission_denied",
      `API key does not have access to the requested organization: ID ${MINE}.`,
    ])
    expect(await refusal(open({ scopes: [] }, "1"))).toEqual([
      "permission_denied",
      "API key missing required scope 'query:read'",
    ])
  })

  test("is shut to keys of members where their organization takes none, before bindings are looked at", async () => {
    const closed = { ...member(), closedToKeys: new Map([[MINE, "Acme"]]) }
    const refused = [
      "permission_denied",
      "Organization 'Acme' does not allow using personal API keys. Contact an admin to enable personal API keys for this organization.",
    ]
    expect(await refusal(open({}, "1", "query:read", closed))).toEqual(refused)
    expect(await refusal(open({ projectIds: [asProjectId(2)] }, "1", "query:read", closed))).toEqual(refused)
    expect(await refusal(open({}, "77", "query:read", closed))).toEqual(["not_found", "Project not found."])
  })

  test("lets write imply read, and not the other way round", async () => {
    expect(await open({ scopes: ["person:write"] }, "1", "person:read")).toBe(1)
    expect(await refusal(open({ scopes: ["person:read"] }, "1", "person:write"))).toEqual([
      "permission_denied",
      "API key missing required scope 'person:write'",
    ])
  })
})

describe("the door to what belongs to no project", () => {
  const access = createProjectAccess({ findMember: async () => member(), projects: lookup })
  const bound = contextOf({ projectIds: [asProjectId(2)] })

  test("is shut to keys bound to projects, unless the operation is open to them", async () => {
    expect(await refusal(access.requirePrincipal(bound, "project:read"))).toEqual([
      "permission_denied",
      "API keys with scoped projects are only supported on project-based endpoints.",
    ])
    expect((await access.requirePrincipal(bound, "user:read", { openToBoundKeys: true })).userId).toBe(9)
  })

  test("demands the scope", async () => {
    expect(await refusal(access.requirePrincipal(contextOf({ scopes: ["query:read"] }), "user:read"))).toEqual([
      "permission_denied",
      "API key missing required scope 'user:read'",
    ])
  })
})
