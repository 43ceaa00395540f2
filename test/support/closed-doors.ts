import type { ProjectAccess } from "../../src/kernel/request-context.js"

const closed = (): never => {
  throw new Error("nothing behind this door is tested here")
}

/** The doors that a test's own access has no use for. */
export const closedDoors: Pick<ProjectAccess, "requireOrganization" | "refuseKeys"> = {
  requireOrganization: async () => closed(),
  refuseKeys: closed,
}
