import { describePaging } from "../contract/paging.contract.js"
import { ownApp } from "../support/own-app.js"

const app = ownApp()
const { api } = app
const PROJECT = "projectId: 1"
const path = (resource: string): string => `/api/environments/1/${resource}/`

/** The short ids of playlists and the numbers of other records, by the names that lists tell. */
const ids = new Map<string, string>()
async function create(resource: string, body: { readonly name: string; readonly [field: string]: unknown }) {
  const answer = await api.post<{ id: number; short_id?: string }>(path(resource), body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  ids.set(body.name, answer.body.short_id ?? String(answer.body.id))
}
const softlyDelete = (resource: string, name: string) =>
  api.patch(`${path(resource)}${ids.get(name)}/`, { deleted: true })

describePaging(app, {
  field: "sessionRecordingPlaylists",
  of: PROJECT,
  other: `${PROJECT}, orderBy: NAME`,
  item: "name",
  add: (number) => create("session_recording_playlists", { name: `playlist ${number}` }),
  remove: (name) => softlyDelete("session_recording_playlists", name),
})

describePaging(app, {
  field: "cohorts",
  of: PROJECT,
  other: `${PROJECT}, search: "cohort"`,
  item: "name",
  add: (number) => create("cohorts", { name: `cohort ${number}`, is_static: true }),
  remove: (name) => softlyDelete("cohorts", name),
})

describePaging(app, {
  field: "actions",
  of: PROJECT,
  other: `${PROJECT}, search: "action"`,
  item: "name",
  add: (number) => create("actions", { name: `action ${number}` }),
  remove: (name) => softlyDelete("actions", name),
})

describePaging(app, {
  field: "users",
  of: "",
  other: 'organizationId: "@current"',
  item: "email",
  add: (number) =>
    api.changed(
      `mutation { inviteUser(input: { email: "user${number}@a.test", firstName: "U" }) {
        invited { user { id } } userErrors { message } } }`,
    ),
})

describePaging(app, {
  field: "organizations",
  of: "",
  item: "name",
  add: (number) =>
    api.changed(
      `mutation { createOrganization(input: { name: "organization ${number}" }) {
        organization { id } userErrors { message } } }`,
    ),
})
