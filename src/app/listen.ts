import { createServer } from "node:net"
import { readSystemCode } from "../kernel/system-error.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Environment } from "./environment.js"
import type { Gateway } from "./gateway.types.js"

type Address = Pick<Environment, "host" | "port" | "metricsPort">

/**
 * Checks that the ports can be listened on before anything is made. A first start that failed only here would already
 * have made keys, which no later start shows.
 * @throws StartupError when it cannot.
 */
export async function requireAddress(address: Address): Promise<void> {
  await requirePort(address.port, address)
  if (address.metricsPort !== null) await requirePort(address.metricsPort, address)
}

async function requirePort(port: number, address: Address): Promise<void> {
  const server = createServer()
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, address.host, resolve)
  })
  await listening.catch((failure: unknown) => {
    throw toStartupError(failure, address)
  })
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Begins to answer requests.
 * @returns the address that clients see.
 * @throws StartupError when the address cannot be listened on.
 */
export async function listen(address: Address, gateway: Gateway): Promise<string> {
  try {
    return await gateway.listen(address.port, address.host)
  } catch (failure) {
    throw toStartupError(failure, address)
  }
}

function toStartupError(failure: unknown, { host, port, metricsPort }: Address): unknown {
  const isOfMetrics = metricsPort !== null && (failure as { readonly port?: number }).port === metricsPort
  const [variable, wanted] = isOfMetrics ? ["METRICS_PORT", metricsPort] : ["PORT", port]
  switch (readSystemCode(failure)) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${wanted} on ${host} is taken. Stop what listens there or set ${variable} to another one.`,
      )
    case "EACCES":
      return new StartupError(
        `Port ${wanted} on ${host} may not be used by this user. Set ${variable} to one above 1023.`,
      )
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartupError(`HOST ${host} is not an address of this machine.`)
    default:
      return failure
  }
}
