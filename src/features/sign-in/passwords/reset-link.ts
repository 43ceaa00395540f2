import type { UserId } from "../../../kernel/ids.js"
import type { Platform } from "../../../platform/platform.types.js"
import { hashSecret } from "../../access/index.js"
import type { IssuedLink } from "../sign-in.types.js"
import type { PasswordRepository } from "./password.repository.js"

const LIVES_MS = 24 * 3_600_000
const PREFIX = "phl_"

export interface ResetLinkDependencies extends Pick<Platform, "clock" | "ids"> {
  readonly passwords: Pick<PasswordRepository, "addResetLink">
}

/**
 * Makes a link with which a user sets another password, good once and for a day.
 * @param by who makes it; null for whoever runs the server.
 */
export async function makeResetLink(
  { passwords, clock, ids }: ResetLinkDependencies,
  userId: UserId,
  siteUrl: string,
  by: UserId | null,
): Promise<IssuedLink> {
  const token = ids.secret(PREFIX)
  const expiresAt = new Date(clock.now() + LIVES_MS)
  await passwords.addResetLink(userId, { hash: hashSecret(token), expiresAt }, by, new Date(clock.now()))
  return { url: `${siteUrl}/reset-password?token=${token}`, expiresAt }
}
