import type { RunningApp } from "./start-app.js"

type Announced = Pick<RunningApp, "url" | "newCredentials" | "welcomeUrl">

/**
 * What a server that listens says of itself. A key that opens everything is shown on a terminal only: other output ends in
 * journals that more people read than the file which keeps it. The link for the first owner is good for 15 minutes and
 * one use, and stands there as well: servers without a terminal have nothing else.
 */
export function toAnnouncement({ url, newCredentials, welcomeUrl }: Announced, isTerminal: boolean): string {
  const lines = [`Waymark is listening on ${url}`]
  if (newCredentials !== null) {
    const { projectApiKey, personalApiKey, file } = newCredentials
    lines.push(`  console           ${url}/`, `  project API key   ${projectApiKey}   (SDKs: events and flags)`)
    if (isTerminal) lines.push(`  personal API key  ${personalApiKey}   (REST and GraphQL; shown only now)`)
    lines.push(`  ${isTerminal ? "both are kept in " : "personal API key "} ${file}`)
  }
  if (welcomeUrl !== null) lines.push(`  sign in           ${welcomeUrl}   (once, within 15 minutes)`)
  return `${lines.join("\n")}\n`
}
