import { PERSONAL_KEY } from "../support/server.js"
import type { Tenant } from "./attack.types.js"

/** Events of one project are ingested by one of so many shards, by its number (decision 0010). */
const SHARDS = 4

const ORGANIZATION = "mutation ($name: String!) { made: createOrganization(name: $name) { id } }"
const PROJECT = `mutation ($name: String!, $organizationId: ID!) {
  made: createProject(name: $name, organizationId: $organizationId) { id apiToken } }`
const KEY = `mutation ($label: String!, $projectIds: [Int!]!) {
  made: createPersonalApiKey(label: $label, scopes: ["*"], projectIds: $projectIds) { value } }`

interface Project {
  readonly id: number
  readonly apiToken: string
}

/** Makes two projects of two organizations in one shard, each with a personal key that is bound to it. */
export async function createTenants(url: string): Promise<{ attacker: Tenant; neighbour: Tenant }> {
  const attackers = await createProject(url, await createOrganization(url, "attacker"), "attacker")
  const organizationId = await createOrganization(url, "neighbour")
  let project = await createProject(url, organizationId, "neighbour")
  while (project.id % SHARDS !== attackers.id % SHARDS) project = await createProject(url, organizationId, "neighbour")
  return { attacker: await toTenant(url, attackers), neighbour: await toTenant(url, project) }
}

async function createOrganization(url: string, name: string): Promise<string> {
  return (await mutate<{ id: string }>(url, ORGANIZATION, { name })).id
}

const createProject = (url: string, organizationId: string, name: string): Promise<Project> =>
  mutate<Project>(url, PROJECT, { name, organizationId })

async function toTenant(url: string, { id, apiToken }: Project): Promise<Tenant> {
  const { value } = await mutate<{ value: string }>(url, KEY, { label: `project ${id}`, projectIds: [id] })
  return { projectId: id, projectKey: apiToken, personalKey: value }
}

async function mutate<T>(url: string, query: string, variables: Record<string, unknown>): Promise<T> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  })
  const text = await response.text()
  const { data } = JSON.parse(text) as { data?: { made: T } | null }
  if (data == null) throw new Error(`${response.status}: ${text}`)
  return data.made
}
