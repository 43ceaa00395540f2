import { afterAll, beforeAll } from "@jest/globals"
import pg from "pg"
import { readEnvironment } from "../../src/app/environment.js"
import { type RunningApp, startApp } from "../../src/app/start-app.js"
import { HttpTransport } from "../../src/platform/clickhouse/http-transport.js"
import { silentLogger } from "../../src/platform/logger/logger.js"
import { copyOfTemplate } from "./store-templates.js"
import { WaymarkApi } from "./waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY } from "./waymark-process.js"

/** All of the program is compiled for the tests before it starts, on a machine that may be busy. */
const START_WITHIN_MS = 300_000

/** A server in the process of the tests, so that they see what it asks of its stores. */
export interface OwnApp {
  readonly api: WaymarkApi
  /** Texts of the statements that both stores get while `work` runs, whoever causes them. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>
}

/** A server for the tests of one file, started before them on the data of a first start, ended after them. */
export function ownApp(): OwnApp {
  const directory = copyOfTemplate("server")
  let app: RunningApp | null = null
  beforeAll(async () => {
    const environment = readEnvironment({
      PORT: "0",
      DATA_DIR: directory.path,
      BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
      BOOTSTRAP_PERSONAL_API_KEY: PERSONAL_KEY,
    })
    app = await startApp(environment, silentLogger)
  }, START_WITHIN_MS)
  afterAll(async () => {
    await app?.stop()
    directory.remove()
  })
  const address = (): string => {
    if (app === null) throw new Error("the server has not started yet")
    return app.url
  }
  return { api: new WaymarkApi(address), statementsOf }
}

const textOf = (statement: unknown): string =>
  typeof statement === "string" ? statement : String(Reflect.get(Object(statement), "text"))

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const restore = [
    listen(pg.Client.prototype, "query", (statement) => texts.push(textOf(statement))),
    listen(HttpTransport.prototype, "send", (statement) => texts.push(String(Reflect.get(Object(statement), "sql")))),
  ]
  try {
    await work()
  } finally {
    for (const one of restore) one()
  }
  return texts
}

/** Has the first argument of each call of a method told, until it is restored. */
function listen(target: object, method: string, tell: (argument: unknown) => void): () => void {
  const own: unknown = Reflect.get(target, method)
  if (typeof own !== "function") throw new Error(`there is no ${method}`)
  Reflect.set(target, method, function heard(this: unknown, ...parameters: unknown[]) {
    tell(parameters[0])
    return own.apply(this, parameters)
  })
  return () => Reflect.set(target, method, own)
}
