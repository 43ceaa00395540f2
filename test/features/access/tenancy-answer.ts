/** What the operations of these tests answer, field by field; there is what the operation asked for. */
export interface TenancyAnswer {
  readonly me: { readonly id: number; readonly uuid: string; readonly organizations: readonly [Organization] }
  readonly updateMe: object
  readonly users: { readonly totalCount: number; readonly nodes: readonly { id: number; email: string }[] }
  readonly inviteUser: {
    readonly personalApiKey: string
    readonly invitationToken: string
    readonly user: { readonly id: number; readonly uuid: string }
  }
  readonly acceptInvitation: { readonly organizationId: string; readonly personalApiKey: string }
  readonly organizations: object
  readonly organizationMembers: { readonly pageInfo: { readonly endCursor: string } }
  readonly createOrganization: Organization
  readonly project: { readonly keys: readonly [{ readonly id: string }] }
  readonly projects: { readonly totalCount: number }
  readonly createProject: { readonly id: number; readonly apiToken: string }
  readonly createProjectKey: { readonly id: string; readonly token: string }
  readonly personalApiKeys: readonly [PersonalKey, ...PersonalKey[]]
  readonly createPersonalApiKey: PersonalKey
  readonly rollPersonalApiKey: PersonalKey
  readonly activityLog: Activities
  readonly accountActivityLog: Activities
}

interface Organization {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly membersCanUsePersonalApiKeys: boolean
}

interface PersonalKey {
  readonly id: string
  readonly value: string
  readonly maskedValue: string
  readonly previousValueExpiresAt: string
  readonly lastUsedAt: string
}

interface Activities {
  readonly totalCount: number
  readonly nodes: readonly { readonly activity: string }[]
}
