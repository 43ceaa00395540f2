import { execFileSync, spawn, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { temporaryDirectory } from "./waymark-process.js"

const BOOTSTRAP = "/usr/bin/mmdebstrap"
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"

/**
 * In place of systemd, which a root directory alone does not have: starts and ends what the unit says, as its user, without
 * privileges, in its folders and with its environment. What it prints is the journal.
 */
const SYSTEMCTL = `#!/bin/bash
set -eu
unit=/etc/systemd/system/waymark.service
read_setting() { sed --quiet "s/^$1=//p" "$unit"; }
start() {
  user=$(read_setting User)
  install --directory --owner "$user" --group "$user" --mode "$(read_setting StateDirectoryMode)" \\
    /var/lib/waymark /run/waymark /var/log/waymark
  cd "$(read_setting WorkingDirectory)"
  set -a
  export $(read_setting Environment)
  . "$(read_setting EnvironmentFile | cut --characters 2-)"
  setsid setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set=-all \\
    $(read_setting ExecStart) < /dev/null >> /journal 2>&1 &
  echo $! > /run/main.pid
}
stop() {
  kill "$(cat /run/main.pid)"
  while kill -0 "$(cat /run/main.pid)" 2> /dev/null; do sleep 0.1; done
  rm --recursive /run/waymark /run/main.pid
}
case $1 in
  daemon-reload) ;;
  enable) start ;;
  restart) stop; start ;;
  disable) stop ;;
esac
`
const JOURNALCTL = '#!/bin/sh\ngrep "$4" /journal\n'

/** The root directory of a new Debian in which commands run as its root. */
export interface BareDebian {
  readonly path: string
  /** Runs lines of bash up to the first that fails. @returns what they printed. @throws Error with it when one fails. */
  run(script: string): Promise<string>
  remove(): void
}

/** Whether a Debian can be made here, of packages that can be had; says plainly when it cannot. */
export function canMakeDebian(): boolean {
  if (existsSync(BOOTSTRAP) && process.getuid?.() === 0 && bootstrap("/dev/null", "--simulate").status === 0)
    return true
  console.warn(`SKIPPED: tests on a bare Debian, because they need root, ${BOOTSTRAP} and a mirror of Debian`)
  return false
}

const bootstrap = (path: string, ...options: string[]) =>
  spawnSync(BOOTSTRAP, ["--quiet", "--variant=minbase", ...options, "trixie", path], {
    stdio: ["ignore", "ignore", "inherit"],
  })

/** Makes a Debian of the packages that each one has, and nothing else but what stands in for systemd. */
export function makeBareDebian(): BareDebian {
  const scratch = temporaryDirectory()
  const path = join(scratch.path, "debian")
  if (bootstrap(path).status !== 0) throw new Error(`${BOOTSTRAP} made no Debian`)
  for (const [name, script] of [
    ["systemctl", SYSTEMCTL],
    ["journalctl", JOURNALCTL],
  ] as const)
    writeFileSync(join(path, "usr/local/bin", name), script, { mode: 0o755 })
  // What this machine has fetched already need not be fetched once more.
  const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim()
  if (existsSync(cache)) execFileSync("cp", ["--recursive", cache, join(path, "root/.npm")])
  // A network may have an authority of its own.
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(path, "authorities.crt"))
  return {
    path,
    run: (script) => runIn(path, script),
    remove: scratch.remove,
  }
}

async function runIn(path: string, script: string): Promise<string> {
  const mounts = `mount -t proc proc ${path}/proc && mount -t tmpfs tmpfs ${path}/dev/shm`
  const child = spawn("unshare", ["--mount", "sh", "-c", `${mounts} && exec chroot ${path} bash -eu`], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      DEBIAN_FRONTEND: "noninteractive",
      NODE_EXTRA_CA_CERTS: "/authorities.crt",
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  child.stdin.end(script)
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`exit code ${code}: ${stdout.slice(-2_000)}${stderr.slice(-4_000)}`)
  return stdout
}
