import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { waitFor } from "./wait-for.js"
import { temporaryDirectory } from "./waymark-process.js"

const BINARY = "/usr/sbin/nginx"

/** An nginx of our own with the site that Waymark is delivered with, and its defaults for all the rest. */
export interface PrivateNginx {
  readonly url: string
  stop(): Promise<void>
}

/** Whether tests with nginx can run here; says plainly when they cannot. */
export function hasNginx(): boolean {
  if (existsSync(BINARY)) return true
  console.warn(`SKIPPED: tests behind nginx, because there is no ${BINARY}`)
  return false
}

/** Starts nginx on `port` in front of two servers on the ports `servers`. */
export async function startPrivateNginx(port: number, servers: readonly [number, number]): Promise<PrivateNginx> {
  const { path, remove } = temporaryDirectory()
  const site = readFileSync("deploy/nginx.conf", "utf8")
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace("127.0.0.1:8001", `127.0.0.1:${servers[0]}`)
    .replace("127.0.0.1:8002", `127.0.0.1:${servers[1]}`)
  writeFileSync(join(path, "site.conf"), site)
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path}/${name};`,
  )
  const log = join(path, "error.log")
  const http = `http { access_log off; ${folders.join(" ")} include ${path}/site.conf; }`
  writeFileSync(join(path, "nginx.conf"), `pid ${path}/nginx.pid; error_log ${log}; events {} ${http}\n`)
  const child = spawn(BINARY, ["-e", log, "-p", path, "-c", join(path, "nginx.conf"), "-g", "daemon off;"])
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const url = `http://127.0.0.1:${port}`
  await waitFor("nginx to listen", () => fetch(`${url}/_livez`).then(({ status }) => status > 0))
  return {
    url,
    stop: async () => {
      child.kill("SIGQUIT")
      await ended
      remove()
    },
  }
}
