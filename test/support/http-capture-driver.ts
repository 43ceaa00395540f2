import { request as httpRequest } from "node:http"
import type { CaptureDriver, StoredEvent, WireAnswer, WireRequest } from "../features/capture/cases/capture-driver.js"
import type { WaymarkApi } from "./waymark-api.js"

interface EventRecord {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: string
  readonly timestamp: string
  readonly projectId: number
}

const COLUMNS: Readonly<Record<keyof EventRecord, string>> = {
  uuid: "toString(uuid)",
  event: "event",
  distinctId: "distinct_id",
  properties: "toString(properties)",
  timestamp: "toString(timestamp)",
  projectId: "team_id",
}

/**
 * Capture over HTTP against a real server: what is stored is what HogQL shows once ingestion has drained. Drivers of one
 * server share `seen`, so that each gives only the events that came after the drivers before it.
 */
export class HttpCaptureDriver implements CaptureDriver {
  constructor(
    private readonly api: WaymarkApi,
    private readonly seen: Set<string>,
  ) {}

  send({ method, url, headers, body }: WireRequest): Promise<WireAnswer> {
    const sent = { ...headers, "Content-Length": String(body.length) }
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${this.api.url}${url}`, { method, headers: sent }, (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", reject)
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      request.once("error", reject)
      request.end(body)
    })
  }

  async stored(): Promise<readonly StoredEvent[]> {
    await this.api.drained()
    const names = Object.keys(COLUMNS) as (keyof EventRecord)[]
    const rows = await this.api.hogql(`SELECT ${names.map((name) => COLUMNS[name]).join(", ")} FROM events LIMIT 10000`)
    const records = rows.map(
      (row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as EventRecord,
    )
    // A new uuid rises with arrival; rows of different people may reach ClickHouse in any order.
    const fresh = records.filter(({ uuid }) => !this.seen.has(uuid)).sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
    for (const { uuid } of fresh) this.seen.add(uuid)
    return fresh.map((record) => ({
      ...record,
      properties: JSON.parse(record.properties),
      clientTimestamp: null,
      // Neither is a column of its own: the address is stored as `$ip`, the mark of a migration in the properties.
      clientIp: "",
      historicalMigration: false,
    }))
  }
}
