import type { JsonObject } from "../../src/kernel/json.js"
import { waitFor } from "./wait-for.js"
import type { WaymarkApi } from "./waymark-api.js"

/** A person as lists show it. */
export interface SeenPerson {
  readonly id: string
  readonly distinctIds: readonly string[]
  readonly properties: JsonObject
  readonly isIdentified: boolean
  readonly createdAt: string
}

/** A stored event as HogQL shows it. */
export interface SeenEvent {
  readonly personId: string
  readonly personMode: string
  readonly personProperties: JsonObject
  readonly properties: JsonObject
  readonly timestampMs: number
}

/** A group as lists show it. */
export interface SeenGroup {
  readonly typeIndex: number
  readonly key: string
  readonly properties: JsonObject
}

/** Everything that the interface shows of a project. */
export interface SeenProject {
  readonly persons: readonly SeenPerson[]
  readonly groupTypes: Readonly<Record<string, number>>
  readonly groups: readonly SeenGroup[]
}

const PERSONS_AND_TYPES = `query ($id: ID!) {
  persons(projectId: $id, first: 100) { nodes { id: uuid distinctIds properties isIdentified createdAt } }
  groupTypes(projectId: $id) { name typeIndex } }`
const GROUPS = `query ($id: ID!, $type: Int!) {
  groups(projectId: $id, typeIndex: $type, first: 100) { nodes { typeIndex key properties } } }`

/** A project of one case, so that its ids, group types and warnings are its own; spoken to as clients do. */
export class CaseProject {
  private constructor(
    private readonly api: WaymarkApi,
    readonly id: number,
    readonly token: string,
  ) {}

  static async create(api: WaymarkApi, name: string): Promise<CaseProject> {
    const { createProject: made } = await api.changed<{ createProject: { id: number; apiToken: string } }>(
      `mutation ($name: String!) {
        createProject(input: { name: $name }) { project { id: number apiToken } userErrors { message } } }`,
      { name },
    )
    return new CaseProject(api, made.id, made.apiToken)
  }

  /** Sends events to `/batch/`, and nothing when there are none. */
  async send(batch: readonly JsonObject[], envelope: JsonObject = {}): Promise<void> {
    if (batch.length === 0) return
    const { status, body } = await this.api.post("/batch/", { api_key: this.token, batch, ...envelope })
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  }

  /** Sends snapshots to `/s/`. */
  async sendSnapshots(snapshots: readonly JsonObject[]): Promise<void> {
    const items = snapshots.map((item) => ({ event: "$snapshot", ...item, api_key: this.token }))
    const { status, body } = await this.api.post("/s/", items)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  }

  async see(): Promise<SeenProject> {
    const answer = await this.api.graphql<{
      persons: { nodes: SeenPerson[] }
      groupTypes: { name: string; typeIndex: number }[]
    }>(PERSONS_AND_TYPES, { id: String(this.id) })
    const groups: SeenGroup[] = []
    for (const { typeIndex } of answer.groupTypes) groups.push(...(await this.groupsOf(typeIndex)))
    return {
      persons: answer.persons.nodes,
      groupTypes: Object.fromEntries(answer.groupTypes.map(({ name, typeIndex }) => [name, typeIndex])),
      groups,
    }
  }

  private async groupsOf(type: number): Promise<readonly SeenGroup[]> {
    const variables = { id: String(this.id), type }
    return (await this.api.graphql<{ groups: { nodes: SeenGroup[] } }>(GROUPS, variables)).groups.nodes
  }

  /** The stored event of a uuid, by HogQL; null when there is none. */
  async eventOf(uuid: string): Promise<SeenEvent | null> {
    const [row] = await this.hogql(
      `SELECT toString(person_id), person_mode, toString(poe_properties), toString(properties), toUnixTimestamp64Milli(timestamp)
         FROM events WHERE uuid = '${uuid}'`,
    )
    if (row === undefined) return null
    const [personId, personMode, personProperties, properties, timestampMs] = row as string[]
    return {
      personId: personId as string,
      personMode: personMode as string,
      personProperties: JSON.parse(personProperties as string) as JsonObject,
      properties: JSON.parse(properties as string) as JsonObject,
      timestampMs: Number(timestampMs),
    }
  }

  async hogql(query: string): Promise<unknown[][]> {
    const { status, body } = await this.api.post<{ results: unknown[][] }>(`/api/environments/${this.id}/query/`, {
      query: { kind: "HogQLQuery", query },
      refresh: "force_blocking",
    })
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body.results
  }

  /** Waits until the project has a warning for a rule: warnings are written a moment after their events. */
  async warned(reason: string): Promise<void> {
    await waitFor(`the warning ${reason}`, async () => {
      const { ingestionWarnings } = await this.api.graphql<{ ingestionWarnings: { nodes: { reason: string }[] } }>(
        "query ($id: ID!) { ingestionWarnings(projectId: $id) { nodes { reason } } }",
        { id: String(this.id) },
      )
      return ingestionWarnings.nodes.some((warning) => warning.reason === reason.toUpperCase())
    })
  }
}
