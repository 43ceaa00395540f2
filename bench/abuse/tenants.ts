import { PERSONAL_KEY } from "../support/server.js"
import type { Tenant } from "./attack.types.js"

/** Events of one project are ingested by one of so many shards, by its number (decision 0010). */
const SHARDS = 4

const ORGANIZATION = `mutation ($name: String!) {
  made: createOrganization(input: { name: $name }) { made: organization { id: uuid } } }`
const PROJECT = `mutation ($name: String!, $organizationId: ID!) {
  made: createProject(input: { name: $name, organizationId: $organizationId }) {
    made: project { id: number apiToken } } }`
const KEY = `mutation ($label: String!, $projectIds: [ID!]!) {
  made: createPersonalApiKey(input: { label: $label, scopes: ["*"], projectIds: $projectIds }) {
    made: personalApiKey { value } } }`

/** A server, and a key of its first user. */
interface Server {
  readonly url: string
  readonly personalKey: string
}

interface Project {
  readonly id: number
  readonly apiToken: string
}

/** Makes two projects of two organizations in one shard, each with a personal key that is bound to it. */
export async function createTenants(
  url: string,
  personalKey = PERSONAL_KEY,
): Promise<{ attacker: Tenant; neighbour: Tenant }> {
  const server = { url, personalKey }
  const attackers = await createProject(server, await createOrganization(server, "attacker"), "attacker")
  const organizationId = await createOrganization(server, "neighbour")
  const createNeighbour = () => createProject(server, organizationId, "neighbour")
  let project = await createNeighbour()
  while (project.id % SHARDS !== attackers.id % SHARDS) project = await createNeighbour()
  return { attacker: await toTenant(server, attackers), neighbour: await toTenant(server, project) }
}

async function createOrganization(server: Server, name: string): Promise<string> {
  return (await mutate<{ id: string }>(server, ORGANIZATION, { name })).id
}

const createProject = (server: Server, organizationId: string, name: string): Promise<Project> =>
  mutate<Project>(server, PROJECT, { name, organizationId })

async function toTenant(server: Server, { id, apiToken }: Project): Promise<Tenant> {
  const { value } = await mutate<{ value: string }>(server, KEY, { label: `project ${id}`, projectIds: [id] })
  return { projectId: id, projectKey: apiToken, personalKey: value }
}

async function mutate<T>({ url, personalKey }: Server, query: string, variables: Record<string, unknown>): Promise<T> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${personalKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  })
  const text = await response.text()
  const { data } = JSON.parse(text) as { data?: { made: { made: T | null } | null } | null }
  if (data?.made?.made == null) throw new Error(`${response.status}: ${text}`)
  return data.made.made
}
