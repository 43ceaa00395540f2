import { SCOPE_OBJECTS } from "../../../src/features/access/scopes.js"
import { makeKey, toScopeNames } from "../make-key.js"
import { WaymarkApi } from "../waymark-api.js"

/** Everybody that an operation on project 1 has to tell apart. */
export interface MatrixCallers {
  readonly nobody: WaymarkApi
  readonly withUnknownKey: WaymarkApi
  /** Has every scope that does not open the one asked for: for a write, all reads. */
  readonly without: (scope: string) => WaymarkApi
  /** A key of the same user that is bound to another project of the same organization. */
  readonly boundToOtherProject: WaymarkApi
  /** A key of the same user that is bound to another organization of theirs. */
  readonly boundToOtherOrganization: WaymarkApi
  /** An owner of another organization with a project of their own, and all scopes. */
  readonly stranger: WaymarkApi
  /** A viewer of the organization with all scopes. */
  readonly viewer: WaymarkApi
  readonly strangersProject: { readonly id: number; readonly apiToken: string }
  /** Another owner of the organization whose key has this scope and no other; without one, a scope of no use. */
  readonly permitted: (scope: string | null) => WaymarkApi
}

const INVITE = `mutation ($email: String!, $role: OrganizationRole!, $organizationId: ID, $scopes: [Scope!]) {
  inviteUser(input: { email: $email, role: $role, organizationId: $organizationId, keyScopes: $scopes }) {
    invited { personalApiKey } userErrors { message } } }`

/** Makes the callers; `scopes` are those of all operations of the matrix. */
export async function createMatrixCallers(owner: WaymarkApi, scopes: Iterable<string>): Promise<MatrixCallers> {
  const withKey = (key: string | null) => new WaymarkApi(owner.url, key)
  const keyWith = async (granted: readonly string[], bounds: Parameters<typeof makeKey>[2] = {}) =>
    withKey((await makeKey(owner, granted, bounds)).value)
  const invite = async (
    email: string,
    organizationId: string | null,
    granted: string[],
    role = "OWNER",
  ): Promise<WaymarkApi> => {
    const variables = { email, role, organizationId, scopes: toScopeNames(granted) }
    const { inviteUser } = await owner.changed<{ inviteUser: { personalApiKey: string } }>(INVITE, variables)
    return withKey(inviteUser.personalApiKey)
  }
  const projectIn = async (organizationId: string | null) => {
    const { createProject } = await owner.changed<{ createProject: { id: string; apiToken: string } }>(
      `mutation ($organizationId: ID) {
        createProject(input: { name: "Nebenan", organizationId: $organizationId }) {
          project { id: number apiToken } userErrors { message } } }`,
      { organizationId },
    )
    return { ...createProject, id: Number(createProject.id) }
  }
  const neighbour = await projectIn(null)
  const { createOrganization } = await owner.changed<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Drüben" }) { organization { id: uuid } userErrors { message } } }',
  )
  const strangersProject = await projectIn(createOrganization.id)
  const permitted = new Map<string, WaymarkApi>()
  for (const scope of new Set(scopes))
    permitted.set(scope, await invite(`${scope.replace(":", ".")}@a.test`, null, [scope]))
  // Invited users have keys that are bound to the organization; only one bound to nothing makes another organization.
  permitted.set("organization:write", await keyWith(["organization:write"]))
  const allReads = await keyWith(SCOPE_OBJECTS.map((object) => `${object}:read`))
  const onlyNotes = await keyWith(["annotation:write", "notebook:write"])
  return {
    nobody: withKey(null),
    withUnknownKey: withKey("phx_unknown"),
    without: (scope) => (scope.endsWith(":write") ? allReads : onlyNotes),
    boundToOtherProject: await keyWith(["*"], { projectIds: [neighbour.id] }),
    boundToOtherOrganization: await keyWith(["*"], { organizationIds: [createOrganization.id] }),
    stranger: await invite("stranger@b.test", createOrganization.id, ["*"]),
    viewer: await invite("viewer@a.test", null, ["*"], "VIEWER"),
    strangersProject,
    permitted: (scope) => {
      const caller = scope === null ? onlyNotes : permitted.get(scope)
      if (caller === undefined) throw new Error(`no key was made with ${scope}`)
      return caller
    },
  }
}
