import { describe, expect, test } from "@jest/globals"
import { readEnvironment } from "../../src/app/environment.js"

describe("the environment", () => {
  test.each([
    "redis://host",
    "redis://host/",
    "rediss://user:password@host:6380/3",
    "unix:///run/redis.sock",
    "redis+unix:///run/redis.sock",
  ])("takes %s as the address of Redis", (url) => {
    expect(readEnvironment({ REDIS_URL: url }).redisUrl).toBe(url)
  })

  test("refuses a name as the database of Redis, because the client would use database 0", () => {
    expect(() => readEnvironment({ REDIS_URL: "redis://host/waymark" })).toThrow(
      "REDIS_URL must end with the number of a database",
    )
  })

  test("reads an empty variable as one that is not set", () => {
    expect(readEnvironment({ LOG_LEVEL: "", PORT: "", REDIS_URL: "" })).toEqual(readEnvironment({}))
  })

  test.each([
    ["BOOTSTRAP_PERSONAL_API_KEY", `phx_${"a".repeat(23)}`, "must begin with phx_ and go on with 24 to 128 letters"],
    ["BOOTSTRAP_PERSONAL_API_KEY", `phx_${"ä".repeat(24)}`, "must begin with phx_"],
    ["BOOTSTRAP_PROJECT_API_KEY", "secret", "must begin with phc_ and go on with 1 to 128 letters"],
  ])("refuses %s=%s, naming the rule", (variable, value, rule) => {
    expect(() => readEnvironment({ [variable]: value })).toThrow(`${variable} ${rule}`)
  })

  test("takes a personal key of 24 characters after its prefix, and a public key of any length", () => {
    const [personal, project] = [`phx_${"a".repeat(24)}`, "phc_x"]
    const environment = readEnvironment({ BOOTSTRAP_PERSONAL_API_KEY: personal, BOOTSTRAP_PROJECT_API_KEY: project })
    expect(environment).toMatchObject({ bootstrapPersonalApiKey: personal, bootstrapProjectApiKey: project })
  })

  test("names the levels of the log when it does not know one", () => {
    expect(() => readEnvironment({ LOG_LEVEL: "loud" })).toThrow(
      "LOG_LEVEL must be one of debug, info, warn, error, silent",
    )
  })
})
