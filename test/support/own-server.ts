import { afterAll, beforeAll } from "@jest/globals"
import { copyOfTemplate } from "./store-templates.js"
import { WaymarkApi } from "./waymark-api.js"
import { WaymarkProcess } from "./waymark-process.js"

/**
 * A server for the tests of one file or one `describe`: started before them on the data of a first start, ended after them. Hooks
 * that are set up later may use it.
 */
export function ownServer(environment: Record<string, string> = {}): { server: WaymarkProcess; api: WaymarkApi } {
  const directory = copyOfTemplate("server")
  const server = new WaymarkProcess(directory.path, environment)
  let url: string | null = null
  beforeAll(async () => {
    url = await server.ready()
  })
  afterAll(async () => {
    await server.stop()
    directory.remove()
  })
  const address = (): string => {
    if (url === null) throw new Error("the server has not started yet")
    return url
  }
  return { server, api: new WaymarkApi(address) }
}
