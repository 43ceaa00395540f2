import { randomBytes } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import type { Answer } from "../support/waymark-api.js"

const KIB = 1024

interface Project {
  readonly id: string
  readonly apiToken: string
}

interface Refusal {
  readonly code: string
  readonly detail: string
}

describe("capture while nobody ingests", () => {
  const { api } = ownServer({ ROLES: "web,query", INGEST_MB_PER_MINUTE: "40", INGEST_BACKLOG_MB: "20" })

  const createProject = async (name: string): Promise<Project> => {
    const create = `mutation ($name: String!) {
        createProject(input: { name: $name }) { project { id: number apiToken } userErrors { message } } }`
    return (await api.changed<{ createProject: Project }>(create, { name })).createProject
  }
  const capture = (project: Project, text = "") =>
    api.capture({ event: "sent", distinct_id: "a", properties: { text } }, project.apiToken)
  const captureUntilRefused = (project: Project, toText: () => string): Promise<Answer<Refusal>> =>
    waitFor("an event to be refused", async () => {
      const answer = await capture(project, toText())
      return answer.status === 200 ? null : (answer as Answer<Refusal>)
    })

  test("says so where the server is watched, and is ready", async () => {
    const { status, body } = await api.get<{ warnings: string[] }>("/_readyz")
    expect(status).toBe(200)
    expect(body.warnings).toEqual([expect.stringContaining("Nobody ingests 4 of the log's shards")])
    expect((await api.get<string>("/metrics")).body).toContain("waymark_ingestion_shards_without_owner 4")
  })

  test("refuses a project that sends more in a minute than one may, warns it, and takes from others", async () => {
    const [loud, quiet] = [await createProject("loud"), await createProject("quiet")]
    const compressible = "x".repeat(900 * KIB)
    const refused = await captureUntilRefused(loud, () => compressible)
    expect(refused).toMatchObject({ status: 429, body: { code: "throttled" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await capture(quiet)).status).toBe(200)
    await waitFor("the warning to be written", async () => {
      const { ingestionWarnings } = await api.graphql<{ ingestionWarnings: { nodes: { reason: string }[] } }>(
        "query ($project: ID!) { ingestionWarnings(projectId: $project) { nodes { reason } } }",
        { project: loud.id },
      )
      return ingestionWarnings.nodes.some(({ reason }) => reason === "BYTE_QUOTA_EXCEEDED")
    })
    expect((await api.get<string>("/metrics")).body).toContain('waymark_refused_total{reason="byte_quota"} 1')
  })

  test("refuses a project that fills the log while there is room for others", async () => {
    const [loud, quiet] = [await createProject("fills"), await createProject("sends little")]
    // Sixty fill a project's share; the log is measured once a second, in which a probe sends less than the room for others.
    const incompressible = () => randomBytes(256 * KIB).toString("base64")
    const refused = await captureUntilRefused(loud, incompressible)
    expect(refused).toMatchObject({ status: 503, body: { code: "store_unavailable" } })
    expect(refused.headers.get("retry-after")).toBe("10")
    expect(refused.body.detail).toContain("of this project wait")
    expect((await capture(quiet)).status).toBe(200)
  })
})
