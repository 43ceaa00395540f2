import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { bootstrap } from "../../../../src/features/projects/index.js"
import { waitFor } from "../../../support/wait-for.js"
import { startTenancyApp, type TenancyApp } from "../tenancy-app.js"

const OWNER = "phx_owner_of_everything"

describe("personal keys", () => {
  let app: TenancyApp
  beforeAll(async () => {
    app = await startTenancyApp()
    await bootstrap(app.bootstrapping, { projectApiKey: "phc_first_project", personalApiKey: OWNER })
  })
  afterAll(() => app.stop())

  const create = async (args: string, key = OWNER) =>
    (await app.data(key, `mutation { createPersonalApiKey(${args}) { id value label maskedValue scopes projectIds } }`))
      .createPersonalApiKey
  const faultOf = async (source: string, key = OWNER) => {
    const { errors } = await app.run(key, source)
    const error = errors?.[0]?.originalError as
      | { code?: string; details?: { attr?: string }; message?: string }
      | undefined
    return [error?.code, error?.details?.attr, error?.message]
  }
  const works = async (key: string) => (await app.contextFor(key)).principal !== null
  const revoke = (id: string) => app.data(OWNER, `mutation { revokePersonalApiKey(id: "${id}") { id } }`)

  test("show their value once and are kept as a hash only", async () => {
    const label = `läsare ${"🔑".repeat(33)}`
    const made = await create(`label: "${label}", scopes: ["query:read"]`)
    expect(made).toMatchObject({ label, scopes: ["query:read"], projectIds: null })
    expect(made.value).toMatch(/^phx_[0-9a-zA-Z]{43}$/)
    expect(made.maskedValue).toBe(`phx_...${made.value.slice(-4)}`)
    expect(await works(made.value)).toBe(true)
    const dump = await app.database.pool.query(
      "SELECT row_to_json(k)::text || row_to_json(s)::text AS stored FROM personal_key k JOIN personal_key_secret s ON s.key_id = k.id",
    )
    expect(JSON.stringify(dump.rows)).not.toContain(made.value)
    expect(JSON.stringify(await app.data(OWNER, "{ personalApiKeys { label maskedValue } }"))).not.toContain(made.value)
    await revoke(made.id)
  })

  test("are refused at once after being revoked, although they were remembered", async () => {
    const made = await create('label: "short-lived", scopes: ["query:read"]')
    expect(await works(made.value)).toBe(true)
    await revoke(made.id)
    expect(await works(made.value)).toBe(false)
    expect(await faultOf(`mutation { revokePersonalApiKey(id: "${made.id}") { id } }`)).toEqual([
      "not_found",
      undefined,
      "Not found.",
    ])
  })

  test("are refused by another process as soon as it is told, although it remembered them", async () => {
    const other = await app.startAnotherProcess()
    const made = await create('label: "elsewhere", scopes: ["query:read"]')
    const fault = async () =>
      (await other.access.authenticate({ authorization: `Bearer ${made.value}` })).authenticationFault
    expect(await fault()).toBeNull()
    await revoke(made.id)
    await waitFor("the other process to refuse the key", async () => (await fault()) === "invalid")
    await other.access.stop()
    await other.projects.stop()
  })

  test("accept both values during the overlap of a roll, and never more than two", async () => {
    const first = await create('label: "rolled", scopes: ["query:read"]')
    const roll = async (overlapSeconds: number) =>
      (
        await app.data(
          OWNER,
          `mutation { rollPersonalApiKey(id: "${first.id}", overlapSeconds: ${overlapSeconds}) { id value previousValueExpiresAt } }`,
        )
      ).rollPersonalApiKey
    const second = await roll(3600)
    expect(second.id).toBe(first.id)
    expect(second.previousValueExpiresAt).toEqual(new Date(app.clock.now() + 3_600_000).toISOString())
    expect([await works(first.value), await works(second.value)]).toEqual([true, true])
    app.clock.advance(1000)
    const third = await roll(60)
    expect([await works(first.value), await works(second.value), await works(third.value)]).toEqual([false, true, true])
    app.clock.advance(60_000)
    expect([await works(second.value), await works(third.value)]).toEqual([false, true])
    const fourth = await roll(0)
    expect([await works(third.value), await works(fourth.value)]).toEqual([false, true])
    await revoke(first.id)
    expect(await works(fourth.value)).toBe(false)
  })

  test.each([
    ['label: "  ", scopes: ["*"]', "blank", "label", "This field may not be blank."],
    [
      `label: "${"🔑".repeat(41)}", scopes: ["*"]`,
      "max_length",
      "label",
      "Ensure this field has no more than 40 characters.",
    ],
    ['label: "none", scopes: []', "invalid_input", "scopes", "A key needs at least one scope."],
    ['label: "odd", scopes: ["query:erase"]', "invalid_input", "scopes", "Invalid scope: query:erase"],
    [
      'label: "far", scopes: ["*"], projectIds: [99]',
      "does_not_exist",
      "project_ids",
      "You have access to no project 99.",
    ],
    [
      'label: "org", scopes: ["*"], organizationIds: ["x"]',
      "invalid_input",
      "organization_ids",
      "x is not the id of an organization.",
    ],
  ])("are refused with %s", async (args, code, attr, message) => {
    expect(await faultOf(`mutation { createPersonalApiKey(${args}) { id } }`)).toEqual([code, attr, message])
  })

  test("stop at ten for a user, also when many are made at once", async () => {
    const present = (await app.data(OWNER, "{ personalApiKeys { id } }")).personalApiKeys.length
    const attempts = Array.from({ length: 12 }, (_, index) =>
      app.run(OWNER, `mutation { createPersonalApiKey(label: "many ${index}", scopes: ["query:read"]) { id } }`),
    )
    const made = (await Promise.all(attempts)).filter(({ errors }) => errors === undefined)
    expect(made).toHaveLength(10 - present)
    for (const { data } of made)
      await revoke((data as { createPersonalApiKey: { id: string } }).createPersonalApiKey.id)
  })

  test("manage keys only with the scope for it, and never hand out more than they have", async () => {
    const reader = await create('label: "reader", scopes: ["query:read"]')
    const keeper = await create('label: "keeper", scopes: ["personal_api_key:write", "query:read"]')
    expect(await faultOf("{ personalApiKeys { id } }", reader.value)).toMatchObject([
      "permission_denied",
      undefined,
      "API key missing required scope 'personal_api_key:read'",
    ])
    expect(
      await faultOf('mutation { createPersonalApiKey(label: "wide", scopes: ["*"]) { id } }', keeper.value),
    ).toEqual(["permission_denied", undefined, "A key cannot hand out the scope '*', which it does not have."])
    const owner = (await app.data(OWNER, "{ personalApiKeys { id label } }")).personalApiKeys[0]
    expect(await faultOf(`mutation { rollPersonalApiKey(id: "${owner.id}") { value } }`, keeper.value)).toEqual([
      "permission_denied",
      undefined,
      "A key cannot hand out the scope '*', which it does not have.",
    ])
    const narrow = await create('label: "narrow", scopes: ["query:read"]', keeper.value)
    expect(await works(narrow.value)).toBe(true)
    for (const { id } of [reader, keeper, narrow]) await revoke(id)
  })

  test("bound to a project know only `me` outside it", async () => {
    const bound = await create('label: "bound", scopes: ["*"], projectIds: [1]')
    expect((await app.data(bound.value, "{ me { id currentProject { id } } project { id } }")).project).toEqual({
      id: 1,
    })
    expect(await faultOf("{ projects { totalCount } }", bound.value)).toMatchObject([
      "permission_denied",
      undefined,
      "API keys with scoped projects are only supported on project-based endpoints.",
    ])
    await revoke(bound.id)
  })

  test("leave a line in the audit log for each change, without any value", async () => {
    const { rows } = await app.database.pool.query(
      "SELECT DISTINCT activity FROM activity_log WHERE scope = 'PersonalApiKey' ORDER BY 1",
    )
    expect(rows.map(({ activity }) => activity)).toEqual(["created", "revoked", "rolled"])
  })

  test("have the time of their last use written down", async () => {
    await app.contextFor(OWNER)
    await app.access.stop()
    const [first] = (await app.data(OWNER, "{ personalApiKeys { lastUsedAt } }")).personalApiKeys
    expect(first.lastUsedAt).toBe("2026-02-28T23:30:00.000Z")
  })
})
