import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../src/features/projects/index.js"
import { startTenancyApp, type TenancyApp } from "../access/tenancy-app.js"

const FIXED_PROJECT_KEY = "phc_fixed_by_the_operator"
const FIXED_PERSONAL_KEY = "phx_fixed_by_the_operator"

describe("bootstrap", () => {
  let app: TenancyApp
  beforeAll(async () => {
    app = await startTenancyApp()
  })
  afterAll(() => app.stop())
  const keep = () => JSON.parse(readFileSync(join(app.directory, "credentials.json"), "utf8"))

  test("makes project 1 and its keys once, however many programs start together", async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => bootstrap(app.bootstrapping, {})))
    const made = outcomes.filter(({ isFirstStart }) => isFirstStart)
    expect(made).toHaveLength(1)
    const keys = made[0]?.generated
    expect(keys).toMatchObject({
      projectApiKey: expect.stringMatching(/^phc_[0-9a-zA-Z]{43}$/),
      personalApiKey: expect.stringMatching(/^phx_[0-9a-zA-Z]{43}$/),
    })
    expect(keep()).toEqual({ project_api_key: keys?.projectApiKey, personal_api_key: keys?.personalApiKey })
    expect(statSync(join(app.directory, "credentials.json")).mode & 0o777).toBe(0o600)
    expect(await app.projects.findByKey(keys?.projectApiKey ?? "")).toMatchObject({ id: 1, timezone: "UTC" })
    const { me } = await app.data(keys?.personalApiKey ?? "", "{ me { id scopes currentProject { id apiToken } } }")
    expect(me).toEqual({ id: 1, scopes: ["*"], currentProject: { id: 1, apiToken: keys?.projectApiKey } })
  })

  test("says nothing and changes nothing at a later start", async () => {
    const kept = keep()
    expect(await bootstrap(app.bootstrapping, {})).toEqual({ isFirstStart: false, generated: null })
    expect(keep()).toEqual(kept)
  })

  test("adds values that are fixed later and leaves the old ones valid", async () => {
    const old = keep()
    const fixed = { projectApiKey: FIXED_PROJECT_KEY, personalApiKey: FIXED_PERSONAL_KEY }
    for (let start = 0; start < 2; start++) await bootstrap(app.bootstrapping, fixed)
    for (const token of [FIXED_PROJECT_KEY, old.project_api_key]) {
      expect((await app.projects.findByKey(token))?.id).toBe(1)
    }
    for (const key of [FIXED_PERSONAL_KEY, old.personal_api_key]) {
      expect((await app.data(key, "{ me { id } }")).me.id).toBe(1)
    }
  })

  test("does not bring back a fixed personal key that was revoked on purpose", async () => {
    const old = keep().personal_api_key
    const { personalApiKeys } = await app.data(old, "{ personalApiKeys { id maskedValue } }")
    const fixed = personalApiKeys.find((key) => key.maskedValue === "phx_...ator")
    await app.data(old, `mutation { revokePersonalApiKey(id: "${fixed?.id}") { id } }`)
    await bootstrap(app.bootstrapping, { personalApiKey: FIXED_PERSONAL_KEY })
    expect((await app.run(FIXED_PERSONAL_KEY, "{ me { id } }")).errors?.[0]?.message).toMatch(/is invalid/)
  })

  test("refuses a fixed project key of another project", async () => {
    const old = keep().personal_api_key
    const { createProject } = await app.data(old, 'mutation { createProject(name: "Jiný") { id apiToken } }')
    expect(createProject.id).toBe(2)
    await expect(bootstrap(app.bootstrapping, { projectApiKey: createProject.apiToken })).rejects.toThrow(
      /belongs to project 2 already/,
    )
  })
})
