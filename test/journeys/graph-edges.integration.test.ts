import { beforeAll, describe, expect, test } from "@jest/globals"
import { ownApp } from "../support/own-app.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const RECORDINGS = 50
const EVENTS_EACH = 6
const MAX_STATEMENTS = 12

const app = ownApp()
const { api } = app
const sessionOf = (index: number): string => `0199a000-0000-7000-8000-0000000000${String(index).padStart(2, "0")}`
const userOf = (index: number): string => `user ${index}`

interface PageOfPersons {
  readonly nodes: readonly { readonly uuid: string }[]
  readonly totalCount: number
  readonly pageInfo: Readonly<Record<string, unknown>>
}

/** Statements that read recordings, persons and events; the server asks for other things by itself meanwhile. */
const isOfPage = (text: string): boolean =>
  /session_replay|session_recording|JOIN person ON|person_distinct_id|query_generation|t0\.distinct_id/.test(text)

/** Likewise statements that read groups, cohorts, flags and who belongs to them. */
const isOfEdges = (text: string): boolean =>
  /FROM (group_entry|"cohort"|"?feature_flag|persons?\b|events\b)|unnest\(\$2::uuid/i.test(text)

beforeAll(async () => {
  const now = Date.now()
  for (let index = 0; index < RECORDINGS; index++) {
    const properties = { $session_id: sessionOf(index), $window_id: "w" }
    const batch = Array.from({ length: EVENTS_EACH }, (_, at) => ({
      event: `event ${at}`,
      distinct_id: userOf(index),
      timestamp: new Date(now - 60_000 + at * 1000).toISOString(),
      properties: { ...properties, at, $set: { plan: "pro" } },
    }))
    await api.post("/batch/", { api_key: PROJECT_KEY, batch })
    const snapshot = { type: 4, timestamp: now, data: { href: "https://a.test/", width: 1, height: 1 } }
    await api.post("/s/", {
      event: "$snapshot",
      api_key: PROJECT_KEY,
      distinct_id: userOf(index),
      properties: { ...properties, $snapshot_data: [snapshot] },
    })
  }
  await api.drained()
}, 240_000)

describe("edges", () => {
  test("lead from a recording to its person and events, and from each of these back", async () => {
    const { playlist } = await api.changed<{ playlist: { id: string } }>(
      `mutation { playlist: createSessionRecordingPlaylist(input: { name: "watch" }) {
        sessionRecordingPlaylist { id } userErrors { message } } }`,
    )
    await api.changed(
      `mutation ($id: ID!, $session: ID!) {
        attachSessionRecording(input: { id: $id, sessionRecordingId: $session }) { userErrors { message } } }`,
      { id: playlist.id, session: sessionOf(3) },
    )
    const { sessionRecording } = await api.graphql<{ sessionRecording: Record<string, unknown> }>(
      `query ($session: ID!) { sessionRecording(by: { sessionId: $session }) {
        sessionId
        person { distinctIds events(first: 2) { event } recordings(first: 2) { nodes { sessionId } } }
        events(first: 5) { event distinctId properties person { distinctIds } session { sessionId } }
        playlists(first: 2) { nodes { id recordings(first: 2) { nodes { sessionId } } } } } }`,
      { session: sessionOf(3) },
    )
    const own = { sessionId: sessionOf(3) }
    expect(sessionRecording).toMatchObject({
      ...own,
      person: {
        distinctIds: [userOf(3)],
        events: [{ event: "event 5" }, { event: "event 4" }],
        recordings: { nodes: [own] },
      },
      events: [5, 4, 3, 2, 1].map((at) => ({
        event: `event ${at}`,
        distinctId: userOf(3),
        properties: expect.objectContaining({ at }),
        person: { distinctIds: [userOf(3)] },
        session: own,
      })),
      playlists: { nodes: [{ id: playlist.id, recordings: { nodes: [own] } }] },
    })
  })

  test("have events that are found by id, of a session, of a person, by event and time", async () => {
    const { events, project } = await api.graphql<{
      events: { id: string; event: string; timestamp: string }[]
      project: { events: { event: string }[] }
    }>(
      `query ($session: ID!) {
        events(sessionId: $session) { id event timestamp }
        project { events(event: "event 1", first: 100) { event } } }`,
      { session: sessionOf(7) },
    )
    expect(events.map(({ event }) => event)).toEqual([5, 4, 3, 2, 1, 0].map((at) => `event ${at}`))
    expect(project.events).toHaveLength(RECORDINGS)
    const { node, older } = await api.graphql<{ node: object; older: object[] }>(
      `query ($id: ID!, $user: String!, $before: DateTimeISO!) {
        node(id: $id) { id ... on Event { event sessionId } }
        older: events(distinctId: $user, before: $before) { event } }`,
      { id: events[1]?.id, user: userOf(7), before: events[1]?.timestamp },
    )
    expect(node).toEqual({ id: events[1]?.id, event: "event 4", sessionId: sessionOf(7) })
    expect(older).toEqual([3, 2, 1, 0].map((at) => ({ event: `event ${at}` })))
  })

  test("are null where there is nothing, and refuse what cannot be", async () => {
    await api.capture({ event: "outside", distinct_id: "nobody's", properties: { $process_person_profile: false } })
    await api.drained()
    const { events } = await api.graphql<{ events: object[] }>(
      '{ events(event: "outside") { sessionId session { sessionId } person { distinctIds } } }',
    )
    expect(events).toEqual([{ sessionId: null, session: null, person: null }])
    await expect(api.graphql("{ events(first: 101) { event } }")).rejects.toThrow("first must be between 1 and 100.")
    await expect(api.graphql('{ events(sessionId: "a", distinctId: "b") { event } }')).rejects.toThrow(
      "Name one session, person or group.",
    )
    await expect(api.graphql('{ events(groupKey: "acme") { event } }')).rejects.toThrow(
      "groupTypeIndex must be between 0 and 4.",
    )
  })
})

describe("edges between persons, groups, cohorts and flags", () => {
  const made = { cohort: { number: 0 }, flag: { number: 0 } }

  beforeAll(async () => {
    const $groups = { company: "acme" }
    const $elements_chain = 'a.link.wide:attr__href="/a;b"attr_id="go"href="/a;b"nth-child="2"text="Say \\"go\\""'
    const group = { $group_type: "company", $group_key: "acme", $group_set: { seats: 5 } }
    await api.capture({ event: "$groupidentify", distinct_id: userOf(1), properties: group })
    for (const index of [1, 2])
      await api.capture({ event: "visited", distinct_id: userOf(index), properties: { $groups, $elements_chain } })
    await api.drained()
    const { cohort } = await api.changed<Pick<typeof made, "cohort">>(
      `mutation { cohort: createCohort(input: {
        name: "pros", filters: { all: [{ person: { key: "plan", value: "pro" } }] }
      }) { cohort { number } userErrors { message } } }`,
    )
    const { flag } = await api.changed<Pick<typeof made, "flag">>(
      `mutation ($cohort: Int!) { flag: createFeatureFlag(input: { key: "for-pros", filters: {
        conditions: [{ properties: [{ cohort: { id: $cohort } }], rolloutPercentage: 50 }, {}]
        payloads: [{ value: "true", payload: "1" }]
      } }) { featureFlag { number } userErrors { message } } }`,
      { cohort: cohort.number },
    )
    Object.assign(made, { cohort, flag })
  }, 120_000)

  test("lead from a person to what holds for them, and back", async () => {
    const found = await api.graphql(
      `query ($user: String!, $cohort: Int!, $flag: Int!) {
        person(by: { distinctId: $user }) {
          cohorts { number name } groups { key properties } flags { key enabled reason { code } } }
        group(by: { named: { typeIndex: 0, key: "acme" } }) {
          key events(event: "visited") { distinctId } persons { distinctIds groups { key } } }
        cohort(by: { number: $cohort }) { usedBy { featureFlags { number } cohorts { number } } }
        featureFlag(by: { number: $flag }) { audience { index groupTypeIndex affected isEstimated } } }`,
      { user: userOf(1), cohort: made.cohort.number, flag: made.flag.number },
    )
    const acme = { key: "acme" }
    expect(found).toEqual({
      person: {
        cohorts: [{ number: made.cohort.number, name: "pros" }],
        groups: [{ ...acme, properties: { seats: 5 } }],
        flags: expect.arrayContaining([{ key: "for-pros", enabled: true, reason: { code: "CONDITION_MATCH" } }]),
      },
      group: {
        ...acme,
        events: [2, 1].map((index) => ({ distinctId: userOf(index) })),
        persons: [2, 1].map((index) => ({ distinctIds: [userOf(index)], groups: [acme] })),
      },
      cohort: { usedBy: { featureFlags: [{ number: made.flag.number }], cohorts: [] } },
      featureFlag: {
        audience: [0, 1].map((index) => ({ index, groupTypeIndex: null, affected: RECORDINGS, isEstimated: false })),
      },
    })
  })

  test("lead from a cohort to its persons, page by page in both directions", async () => {
    const pageOf = async (paging: string) => {
      const { cohort } = await api.graphql<{ cohort: { persons: PageOfPersons } }>(
        `{ cohort(by: { number: ${made.cohort.number} }) { persons(${paging}) {
          nodes { uuid name isIdentified createdAt properties } totalCount
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
      )
      return cohort.persons
    }
    const first = await pageOf("first: 30")
    const second = await pageOf(`first: 30, after: "${first.pageInfo.endCursor}"`)
    const back = await pageOf(`last: 30, before: "${second.pageInfo.startCursor}"`)
    expect(first).toMatchObject({ totalCount: RECORDINGS, pageInfo: { hasNextPage: true, hasPreviousPage: false } })
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    expect(new Set([...first.nodes, ...second.nodes].map(({ uuid }) => uuid)).size).toBe(RECORDINGS)
    expect(back.nodes).toEqual(first.nodes)
    expect(first.nodes[0]).toMatchObject({ properties: expect.objectContaining({ plan: "pro" }) })
  })

  test("have elements of a page with their attributes", async () => {
    const { events } = await api.graphql<{ events: object[] }>(
      `{ events(event: "visited", first: 1) { elements {
        tagName text href elementId classes nthChild nthOfType attributes { name value } } } }`,
    )
    const link = { tagName: "a", classes: ["link", "wide"], text: 'Say "go"', href: "/a;b", elementId: "go" }
    const places = { nthChild: 2, nthOfType: null }
    expect(events).toEqual([{ elements: [{ ...link, ...places, attributes: [{ name: "href", value: "/a;b" }] }] }])
  })

  test("have definitions with types, and for REST their own form", async () => {
    const { cohort, featureFlag } = await api.graphql<Record<string, { filters: object }>>(
      `query ($cohort: Int!, $flag: Int!) {
        cohort(by: { number: $cohort }) { filters {
          condition { all { type key operator value isNegated } any { key } } raw } }
        featureFlag(by: { number: $flag }) { evaluationRuntime status filters {
          conditions { rolloutPercentage variant groupTypeIndex properties { type key operator value } }
          variants { key } payloads { value payload } earlyExit groupTypeIndex } } }`,
      { cohort: made.cohort.number, flag: made.flag.number },
    )
    const plan = { type: "PERSON", key: "plan", operator: "EXACT", value: "pro", isNegated: false }
    const tree = { type: "AND", values: [{ type: "person", key: "plan", operator: "exact", value: "pro" }] }
    expect(cohort?.filters).toEqual({ condition: { all: [plan], any: null }, raw: { properties: tree } })
    const member = { type: "COHORT", key: "id", operator: "IN", value: made.cohort.number }
    const everybody = { variant: null, groupTypeIndex: null, rolloutPercentage: null, properties: [] }
    expect(featureFlag).toEqual({
      evaluationRuntime: "ALL",
      status: "ACTIVE",
      filters: {
        conditions: [{ ...everybody, rolloutPercentage: 50, properties: [member] }, everybody],
        variants: [],
        payloads: [{ value: "true", payload: "1" }],
        earlyExit: false,
        groupTypeIndex: null,
      },
    })
    expect((await api.get(`/api/projects/@current/feature_flags/${made.flag.number}/`)).body).toMatchObject({
      filters: { groups: [{ rollout_percentage: 50 }, {}], payloads: { true: "1" } },
    })
  })

  test("hold who did something, which is given and shown with types", async () => {
    const { cohort } = await api.changed<{ cohort: { number: number } }>(
      `mutation { cohort: createCohort(input: { name: "visitors", filters: { all: [
        { did: { kind: PERFORMED, of: { event: "visited" }, within: { count: 2, unit: DAY } } }
        { didNot: { kind: PERFORMED_TIMES, of: { event: "visited" }, from: "all", times: 2, comparison: GTE } }
      ] } }) { cohort { number } userErrors { message } } }`,
    )
    const found = await api.graphql<{ cohort: object; person: { cohorts: { name: string }[] } }>(
      `query ($cohort: Int!, $user: String!) {
        cohort(by: { number: $cohort }) {
          persons { nodes { distinctIds } }
          filters { condition { all { type key isNegated behaviour {
            kind of { event action } within { count unit } from times comparison filters { key } } } } } }
        person(by: { distinctId: $user }) { cohorts { name } } }`,
      { cohort: cohort.number, user: userOf(2) },
    )
    const of = { event: "visited", action: null }
    const nothing = { within: null, from: null, times: null, comparison: null, filters: [] }
    const performed = { ...nothing, kind: "PERFORMED", of, within: { count: 2, unit: "DAY" } }
    const often = { ...nothing, kind: "PERFORMED_TIMES", of, from: "all", times: 2, comparison: "GTE" }
    const leaf = { type: "BEHAVIORAL", key: "visited" }
    expect(found).toEqual({
      cohort: {
        persons: { nodes: expect.arrayContaining([1, 2].map((index) => ({ distinctIds: [userOf(index)] }))) },
        filters: {
          condition: {
            all: [
              { ...leaf, isNegated: false, behaviour: performed },
              { ...leaf, isNegated: true, behaviour: often },
            ],
          },
        },
      },
      person: { cohorts: [{ name: "pros" }, { name: "visitors" }] },
    })
  })

  test("have steps, saved filters and settings with types, and for REST their own form", async () => {
    const restrictions = '[{ type: DROP_EVENT, eventNames: ["spam"] }]'
    const { action, playlist, project } = await api.changed<
      Record<"action" | "playlist" | "project", { number: number }>
    >(
      `mutation {
        action: createAction(input: { name: "clicked", steps: [{
          event: "$autocapture", text: "Go", textMatching: CONTAINS
          properties: [{ event: { key: "$browser", operator: IS_SET } }] }] }) {
          action { number steps { event text textMatching urlMatching href properties { type key operator } } }
          userErrors { message } }
        playlist: createSessionRecordingPlaylist(input: { name: "typed", filters: {
          dateFrom: "-7d", properties: [{ person: { key: "email", operator: ICONTAINS, value: "@a" } }] } }) {
          sessionRecordingPlaylist { shortId recordingsCounts { collection { count } savedFilters { count hasMore } }
            filters { dateFrom filterTestAccounts condition { all { type key operator value } } } }
          userErrors { message } }
        project: updateProject(input: { settings: { anonymizeIps: true, cookielessMode: STATELESS
          captureRestrictions: ${restrictions}, raw: { mine: 1 }
          quotaLimits: [{ resource: SURVEYS, until: "2020-01-01T00:00:00Z" }] } }) {
          project { settings { quotaLimits { resource until } anonymizeIps cookielessMode featureFlagRequestLimit raw
            captureRestrictions { type eventNames pipelines } } }
          userErrors { message } } }`,
    )
    expect(action).toMatchObject({
      steps: [
        {
          event: "$autocapture",
          text: "Go",
          textMatching: "CONTAINS",
          urlMatching: "CONTAINS",
          href: null,
          properties: [{ type: "EVENT", key: "$browser", operator: "IS_SET" }],
        },
      ],
    })
    const email = { type: "PERSON", key: "email", operator: "ICONTAINS", value: "@a" }
    expect(playlist).toMatchObject({
      recordingsCounts: { collection: { count: null }, savedFilters: { count: null, hasMore: null } },
      filters: { dateFrom: "-7d", filterTestAccounts: false, condition: { all: [email] } },
    })
    const raw = { type: "drop_event_from_ingestion", event_names: ["spam"] }
    expect(project).toEqual({
      settings: {
        anonymizeIps: true,
        cookielessMode: "STATELESS",
        featureFlagRequestLimit: null,
        captureRestrictions: [{ type: "DROP_EVENT", eventNames: ["spam"], pipelines: null }],
        quotaLimits: [{ resource: "SURVEYS", until: "2020-01-01T00:00:00.000Z" }],
        raw: expect.objectContaining({
          anonymize_ips: true,
          cookieless_mode: "stateless",
          capture_restrictions: [raw],
        }),
      },
    })
    expect((await api.get(`/api/projects/@current/actions/${action.number}/`)).body).toMatchObject({
      steps: [{ text_matching: "contains", properties: [{ type: "event", key: "$browser", operator: "is_set" }] }],
    })
    const { settings } = await api.changed<{ settings: object }>(
      `mutation { settings: updateProject(input: { settings: {
        anonymizeIps: null, cookielessMode: null, captureRestrictions: null, raw: { mine: null } } }) {
        project { settings { anonymizeIps captureRestrictions { type } } } userErrors { message } } }`,
    )
    expect(settings).toEqual({ settings: { anonymizeIps: null, captureRestrictions: null } })
  })

  test("are read together: 30 persons, each with cohorts, flags and groups", async () => {
    const query = "{ persons(first: 30) { nodes { cohorts { name } flags { key } groups { key } } } }"
    await api.graphql(query)
    const statements = await app.statementsOf(() => api.graphql(query))
    const facts = statements.filter((text) => text.includes("flag_hash_key"))
    // One for what flags and one for what cohorts ask of all of them.
    expect(facts).toHaveLength(2)
    expect(statements.filter((text) => /GROUP BY .*person_id.*group_4/s.test(text))).toHaveLength(1)
    expect(statements.filter((text) => text.includes("JOIN group_entry"))).toHaveLength(1)
  })
})

describe("edges from a page of records", () => {
  const ten = (make: (index: number) => string): string => Array.from({ length: 10 }, (_, at) => make(at)).join(" ")

  beforeAll(async () => {
    for (let at = 0; at < 10; at++) {
      const [$group_type, $group_key] = ["team", `team ${at}`]
      await api.capture({ event: "$groupidentify", distinct_id: userOf(at), properties: { $group_type, $group_key } })
      await api.capture({ event: "met", distinct_id: userOf(at), properties: { $groups: { team: $group_key } } })
    }
    await api.drained()
    const pros = 'filters: { all: [{ person: { key: "plan", value: "pro" } }] }'
    const made = await api.changed<Record<string, { number: number }>>(
      `mutation { ${ten(
        (at) => `c${at}: createCohort(input: { name: "page ${at}", ${pros} }) {
        cohort { number } userErrors { message } }`,
      )} }`,
    )
    await api.changed(
      `mutation { ${ten(
        (at) => `f${at}: createFeatureFlag(input: { key: "page-${at}", filters: { conditions: [
        { properties: [{ cohort: { id: ${made[`c${at}`]?.number} } }] }] } }) {
        featureFlag { number } userErrors { message } }`,
      )} }`,
    )
  }, 120_000)

  test.each([
    ["10 groups to persons, 4", "groups(typeIndex: 1, first: 10) { nodes { persons { distinctIds } } }", 4],
    ["10 cohorts to what asks for them, 3", "cohorts(first: 10) { nodes { usedBy { featureFlags { key } } } }", 3],
    ["10 flags to their audience, 5", "featureFlags(first: 10) { nodes { audience { affected } } }", 5],
    [
      "a cohort to 30 persons and how many there are, 4",
      "cohorts(first: 1) { nodes { persons(first: 30) { totalCount nodes { distinctIds } } } }",
      4,
    ],
  ])("lead from %s statements for all", async (_name, list, count) => {
    const query = `{ page: ${list} }`
    const { page } = await api.graphql<{ page: { nodes: object[] } }>(query)
    expect(JSON.stringify(page.nodes)).not.toMatch(/null|\[\]/)
    const statements = await app.statementsOf(() => api.graphql(query))
    expect(statements.filter(isOfEdges)).toHaveLength(count)
  })
})

describe("records that are asked for together", () => {
  test("are read together: 50 recordings, each with its person and five latest events", async () => {
    const query = `{ sessionRecordings(first: ${RECORDINGS}) { nodes {
      sessionId person { distinctIds name } events(first: 5) { event properties } } } }`
    await api.graphql(query)
    let answer: { sessionRecordings: { nodes: { person: object; events: object[] }[] } } | null = null
    const statements = await app.statementsOf(async () => {
      answer = await api.graphql(query)
    })
    expect(answer).toMatchObject({
      sessionRecordings: { nodes: Array.from({ length: RECORDINGS }, () => ({ events: Array(5).fill({}) })) },
    })
    const own = statements.filter(isOfPage)
    expect(own.length).toBeGreaterThanOrEqual(3)
    expect(own.length).toBeLessThanOrEqual(MAX_STATEMENTS)
  })

  test.each<[type: string, create: string, lookUp: (made: { number: number; key: string }) => string, table: RegExp]>([
    [
      "cohorts",
      "createCohort(input: { name: NAME, isStatic: true }) { cohort { number } userErrors { message } }",
      ({ number }) => `cohort(by: { number: ${number} }) { name }`,
      /from "cohort"/i,
    ],
    [
      "actions",
      "createAction(input: { name: NAME }) { action { number } userErrors { message } }",
      ({ number }) => `action(by: { number: ${number} }) { name }`,
      /from "action"/i,
    ],
    [
      "flags",
      "createFeatureFlag(input: { key: NAME }) { featureFlag { number key } userErrors { message } }",
      ({ key }) => `featureFlag(by: { key: "${key}" }) { name }`,
      /from feature_flag\b|from "feature_flag"/i,
    ],
    [
      "playlists",
      "createSessionRecordingPlaylist(input: { name: NAME }) { sessionRecordingPlaylist { number } userErrors { message } }",
      ({ number }) => `sessionRecordingPlaylist(by: { number: ${number} }) { name }`,
      /from "session_recording_playlist"/i,
    ],
    [
      "plugins",
      "createPluginConfig(input: { name: NAME }) { pluginConfig { number } userErrors { message } }",
      ({ number }) => `pluginConfig(by: { number: ${number} }) { name }`,
      /from "plugin_config"/i,
    ],
  ])("are one statement for 30 aliases of %s", async (type, create, lookUp, table) => {
    const names = Array.from({ length: 30 }, (_, index) => `a${index}`)
    const made = await api.changed<Record<string, { number: number; key: string }>>(
      `mutation { ${names.map((name) => `${name}: ${create.replace("NAME", `"${type}-${name}"`)}`).join(" ")} }`,
    )
    const query = `{ ${names.map((name) => `${name}: ${lookUp(made[name] ?? { number: 0, key: "" })}`).join(" ")} }`
    await api.graphql(query)
    const statements = await app.statementsOf(() => api.graphql(query))
    expect(statements.filter((text) => table.test(text))).toHaveLength(1)
  })

  test("are one statement for 30 aliases of persons, by any identifier", async () => {
    const lookUp = (index: number) => `a${index}: person(by: { distinctId: "${userOf(index)}" }) { properties }`
    const query = `{ ${Array.from({ length: 30 }, (_, index) => lookUp(index)).join(" ")} }`
    await api.graphql(query)
    const statements = await app.statementsOf(() => api.graphql(query))
    expect(statements.filter((text) => /JOIN person ON/.test(text))).toHaveLength(1)
  })
})
