import { expect, test } from "@jest/globals"
import type { WaymarkApi } from "../../../support/waymark-api.js"
import { hostileEntries } from "./case-files.js"
import { expectErrorBody } from "./http-cases.js"

const BASE = "/api/environments/@current"
/** Every list and export that takes paging, filters or a format. */
const LISTS = [
  `${BASE}/persons/`,
  `${BASE}/persons/values/?key=plan`,
  `${BASE}/persons/trends/`,
  `${BASE}/session_recording_playlists/`,
  `${BASE}/session_recordings/`,
  `${BASE}/plugin_configs/1/logs/`,
  `${BASE}/feature_flags/`,
  `${BASE}/cohorts/`,
  "/api/projects/",
] as const

/** Where an entry is refused, and with which status. Everything else is answered as without the odd parameter. */
const REFUSED: Readonly<Record<string, { readonly paths: RegExp; readonly status: number }>> = {
  // This one list wants a whole number as `limit` (`docs/contract/management.md#plugin-logs`).
  ...Object.fromEntries(
    ["page-15", "page-16", "page-18", "page-19", "page-20", "page-26"].map((id) => [
      id,
      { paths: /plugin_configs/, status: 400 },
    ]),
  ),
  "qs-04": { paths: /playlists|feature_flags/, status: 400 },
  "qs-06": { paths: /playlists|feature_flags/, status: 400 },
  // There is no such format (`docs/contract/management.md#csv`).
  "qs-11": { paths: /persons/, status: 404 },
  "qs-15": { paths: /persons/, status: 404 },
}
/** `format=csv&format=json`: the first one counts. */
const CSV = "qs-13"

interface ListBody {
  readonly next?: string | null
  readonly previous?: string | null
}

/**
 * Every paging and query-string entry of numbers-paging.json against every list: unusable values are ignored
 * (`docs/contract/management.md#paging`), links are URLs that can be followed, and what is refused has the one
 * error body.
 */
export function runPagingCases(api: () => WaymarkApi): void {
  const entries = hostileEntries("numbers-paging").flatMap(({ id, query }) =>
    query === undefined ? [] : [{ id, query }],
  )
  test.each(entries)("$id: $query", async ({ id, query }) => {
    for (const path of LISTS) {
      const answer = await api().get<ListBody | string>(`${path}${path.includes("?") ? "&" : "?"}${query}`)
      const refusal = REFUSED[id]
      const wanted = refusal?.paths.test(path) ? refusal.status : 200
      expect({ path, status: answer.status }).toEqual({ path, status: wanted })
      if (wanted !== 200) expectErrorBody(JSON.stringify(answer.body))
      else if (id === CSV && path.includes("persons")) expect(answer.headers.get("content-type")).toContain("text/csv")
      else await expectLinks(answer.body as ListBody)
    }
  })

  async function expectLinks({ next = null, previous = null }: ListBody): Promise<void> {
    for (const link of [next, previous]) {
      if (link === null) continue
      const { pathname, search, origin } = new URL(link)
      expect(origin).toBe(api().url)
      expect((await api().get(`${pathname}${search}`)).status).toBe(200)
    }
  }
}
