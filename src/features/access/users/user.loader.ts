import DataLoader from "dataloader"
import type { UserId } from "../../../kernel/ids.js"
import type { LoaderFactory } from "../../../kernel/request-context.js"
import type { BasicUser } from "./user.graphql.js"
import type { UserRepository } from "./user.repository.js"

/** Loads users by number, many in one read; null for a number nobody has. */
export function createUserLoader(users: Pick<UserRepository, "findMany">): LoaderFactory<UserId, BasicUser | null> {
  return () =>
    new DataLoader(async (ids: readonly UserId[]) => {
      const byId = new Map((await users.findMany(ids)).map((user) => [user.id, user]))
      return ids.map((id) => byId.get(id) ?? null)
    })
}
