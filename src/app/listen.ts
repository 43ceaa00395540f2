import { createServer } from "node:net"
import { readSystemCode } from "../kernel/system-error.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Gateway } from "./create-gateway.js"
import type { Environment } from "./environment.js"

type Address = Pick<Environment, "host" | "port">

/**
 * Checks that the address can be listened on before anything is made. A first start that failed only here would already
 * have made keys, which no later start shows.
 * @throws StartupError when it cannot.
 */
export async function requireAddress({ host, port }: Address): Promise<void> {
  const server = createServer()
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  await listening.catch((failure: unknown) => {
    throw toStartupError(failure, { host, port })
  })
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Begins to answer requests.
 * @returns the address that clients see.
 * @throws StartupError when the address cannot be listened on.
 */
export async function listen({ host, port }: Address, gateway: Gateway): Promise<string> {
  try {
    return await gateway.listen(port, host)
  } catch (failure) {
    throw toStartupError(failure, { host, port })
  }
}

function toStartupError(failure: unknown, { host, port }: Address): unknown {
  switch (readSystemCode(failure)) {
    case "EADDRINUSE":
      return new StartupError(`Port ${port} on ${host} is taken. Stop what listens there or set PORT to another one.`)
    case "EACCES":
      return new StartupError(`Port ${port} on ${host} may not be used by this user. Set PORT to one above 1023.`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartupError(`HOST ${host} is not an address of this machine.`)
    default:
      return failure
  }
}
