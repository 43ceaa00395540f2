import type { DemoApi } from "./api.js"
import { make } from "./make.js"

interface Known {
  readonly cohorts: { readonly nodes: readonly { readonly name: string }[] }
}

/** Makes cohorts, flags for them and a playlist of the failed sessions, unless an earlier run has made them. */
export async function ensureRecords(api: DemoApi, failedSessions: readonly string[]): Promise<void> {
  const known = await api.graphql<Known>("{ cohorts(first: 1000) { nodes { name } } }", {})
  if (known.cohorts.nodes.some(({ name }) => name === "Business customers")) return
  const business = await createCohort(api, "Business customers", { key: "plan", operator: "EXACT", value: "business" })
  await createCohort(api, "Firefox users", { key: "browser", operator: "EXACT", value: "Firefox" })
  await createFlag(api, "beta-reports", "Reports of the beta, for business customers", {
    conditions: [{ properties: [{ cohort: { id: business } }], rolloutPercentage: 100 }],
  })
  await createFlag(api, "pricing-page", "Which prices visitors see first", {
    conditions: [{ properties: [], rolloutPercentage: 100 }],
    variants: [
      { key: "monthly", name: "By month", rolloutPercentage: 50 },
      { key: "yearly", name: "By year", rolloutPercentage: 50 },
    ],
  })
  const playlist = await make(
    api,
    `mutation ($input: CreateSessionRecordingPlaylistInput!) { made: createSessionRecordingPlaylist(input: $input) {
      record: sessionRecordingPlaylist { shortId } userErrors { message } } }`,
    { name: "Failed payments", pinned: true },
  )
  for (const sessionRecordingId of failedSessions)
    await api.graphql(
      `mutation ($input: AttachSessionRecordingInput!) { attachSessionRecording(input: $input) {
        userErrors { message } } }`,
      { input: { id: playlist, sessionRecordingId } },
    )
  process.stdout.write("Two cohorts, three flags, and a playlist of the sessions with errors.\n")
}

/** Gives the number of a cohort of those with a property. */
async function createCohort(api: DemoApi, name: string, property: object): Promise<number> {
  const { createCohort: made } = await api.graphql<{ createCohort: { cohort: { number: number } } }>(
    `mutation ($input: CreateCohortInput!) { createCohort(input: $input) {
      cohort { number } userErrors { message } } }`,
    { input: { name, filters: { all: [{ person: property }] } } },
  )
  return made.cohort.number
}

const createFlag = (api: DemoApi, key: string, name: string, filters: object): Promise<string> =>
  make(
    api,
    `mutation ($input: CreateFeatureFlagInput!) {
      made: createFeatureFlag(input: $input) { record: featureFlag { shortId: id } userErrors { message } } }`,
    { key, name, active: true, filters },
  )
