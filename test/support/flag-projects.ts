import { request } from "node:http"
import type { WaymarkApi } from "./waymark-api.js"

/** A project of its own on a running server, so that flags of one test never meet those of another. */
export interface FlagProject {
  readonly id: number
  readonly token: string
}

/** Makes a project with the server's personal key. */
export async function createFlagProject(api: WaymarkApi, name: string, timezone = "UTC"): Promise<FlagProject> {
  const { project } = await api.changed<{ project: { id: number | string; apiToken: string } }>(
    `mutation ($name: String!, $timezone: String) {
      project: createProject(input: { name: $name, timezone: $timezone }) {
        project { id: number apiToken } userErrors { message } } }`,
    { name: name.slice(0, 200), timezone },
  )
  return { id: Number(project.id), token: project.apiToken }
}

/** An answer as it came, whatever its content type. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a path exactly as it is written; fetch would tidy it up. */
export function sendRaw(
  url: string,
  path: string,
  {
    method = "POST",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    sent.on("error", reject)
    sent.end(body)
  })
}
