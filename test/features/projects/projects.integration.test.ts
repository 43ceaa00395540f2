import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../src/features/projects/index.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import { waitFor } from "../../support/wait-for.js"
import { startTenancyApp, type TenancyApp } from "../access/tenancy-app.js"

const OWNER = "phx_owner_of_everything"
const FIRST_TOKEN = "phc_first_project"

describe("projects", () => {
  let app: TenancyApp
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, { projectApiKey: FIRST_TOKEN, personalApiKey: OWNER })
  })
  afterAll(() => app.stop())
  const faultOf = async (source: string) => (await app.run(OWNER, source)).errors?.[0]?.message

  test("are made with a key and listed in order", async () => {
    const source =
      'mutation { createProject(name: "Žluť", timezone: "asia/kathmandu", weekStartDay: 1) { id apiToken timezone } }'
    const { createProject } = await app.data(OWNER, source)
    expect(createProject).toEqual({
      id: 2,
      apiToken: expect.stringMatching(/^phc_\w{43}$/),
      timezone: expect.anything(),
    })
    const { projects } = await app.data(OWNER, "{ projects(first: 1) { totalCount nodes { id keys { token } } } }")
    expect(projects).toEqual({ totalCount: 2, nodes: [{ id: 1, keys: [{ token: FIRST_TOKEN }] }] })
    expect(app.projects.findCached(createProject.apiToken)).toBeUndefined()
    expect(await app.projects.findByKey(createProject.apiToken)).toMatchObject({ id: 2, name: "Žluť", weekStartDay: 1 })
    expect(app.projects.findCached(createProject.apiToken)).toMatchObject({ id: 2 })
  })

  test.each([
    ['name: ""', "This field may not be blank."],
    ['timezone: "Mars/Olympus"', "timezone must be an IANA name such as Europe/Prague."],
    ['timezone: "+02:00"', "timezone must be an IANA name such as Europe/Prague."],
    ["weekStartDay: 7", "week_start_day must be between 0 (Sunday) and 6 (Saturday)."],
    ["settings: [1]", "settings must be an object."],
  ])("refuse %s", async (args, message) => {
    expect(await faultOf(`mutation { updateProject(${args}) { id } }`)).toBe(message)
  })

  test("take changes at once, settings key by key", async () => {
    await app.projects.findById(asProjectId(1))
    await app.data(OWNER, 'mutation { updateProject(settings: {sessionRecording: true, sample: "a\\u0000b"}) { id } }')
    await app.data(
      OWNER,
      'mutation { updateProject(timezone: "Europe/Prague", settings: {sessionRecording: null}) { id } }',
    )
    expect((await app.projects.get(asProjectId(1))).settings).toEqual({ sample: "a\uFFFDb" })
    expect((await app.projects.findByKey(FIRST_TOKEN))?.timezone).toBe("Europe/Prague")
    await expect(app.projects.get(asProjectId(4711))).rejects.toMatchObject({ code: "not_found" })
  })

  test("accept a new key at once and refuse a revoked one at once", async () => {
    const { createProjectKey } = await app.data(OWNER, "mutation { createProjectKey { id token } }")
    expect(await app.projects.findByKey(createProjectKey.token)).toMatchObject({ id: 1, apiToken: FIRST_TOKEN })
    await app.data(OWNER, `mutation { revokeProjectKey(id: "${createProjectKey.id}") }`)
    expect(await app.projects.findByKey(createProjectKey.token)).toBeNull()
    const { project } = await app.data(OWNER, "{ project { keys { id } } }")
    expect(await faultOf(`mutation { revokeProjectKey(id: "${project.keys[0].id}") }`)).toMatch(/at least one live key/)
    expect(await faultOf(`mutation { revokeProjectKey(projectId: 2, id: "${project.keys[0].id}") }`)).toBe("Not found.")
  })

  test.each(["phx_not_a_project_key", "", "phc_", `phc_${"x".repeat(129)}`, "phc_x' OR 1=1", "phc_\u0000"])(
    "are not found by %j, without asking the store",
    (token) => {
      expect(app.projects.findCached(token)).toBeNull()
    },
  )

  test("tell listeners of a change", async () => {
    const heard: number[] = []
    const stop = app.projects.onChange((projectId) => heard.push(projectId))
    await app.data(OWNER, 'mutation { updateProject(projectId: 2, name: "Renamed") { id } }')
    stop()
    expect(heard[0]).toBe(2)
  })

  test("are still found by known keys when PostgreSQL is gone; an unknown key is then a 503", async () => {
    await waitFor("the key to be remembered, with no change still being told", async () => {
      await app.projects.findByKey(FIRST_TOKEN)
      return app.projects.findCached(FIRST_TOKEN)
    })
    await app.server.stop()
    app.clock.advance(600_000)
    expect(await app.projects.findByKey(FIRST_TOKEN)).toMatchObject({ id: 1 })
    expect(app.projects.findCached(FIRST_TOKEN)).toMatchObject({ id: 1 })
    await expect(app.projects.findByKey("phc_never_seen")).rejects.toMatchObject({ code: "store_unavailable" })
    await expect(app.contextFor("phx_never_seen")).rejects.toMatchObject({ code: "store_unavailable" })
  })
})
