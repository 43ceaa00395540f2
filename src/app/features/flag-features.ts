import { createActionsFeature } from "../../features/actions/index.js"
import { createCohortMemberCopies, createCohortsFeature } from "../../features/cohorts/index.js"
import { checkCohortLeaf, createFlagsFeature, findUndecidable } from "../../features/flags/index.js"
import { openPayloadCipher } from "../open-payload-cipher.js"
import type { AccountFeatures } from "./account-features.js"
import type { Wiring } from "./wiring.js"

type FlagsDependencies = Parameters<typeof createFlagsFeature>[0]

/** Flags, and what their conditions ask for: cohorts and actions. */
export function createFlagFeatures(
  wiring: Wiring,
  { access, directory }: AccountFeatures,
  asked: Pick<FlagsDependencies, "pendingChanges" | "listHolding">,
) {
  const { environment, stores, dataDirectory, geoIp, shared } = wiring
  const { userLoader } = access
  const cohortCopies = createCohortMemberCopies(shared)
  const cohorts = createCohortsFeature({
    ...shared,
    userLoader,
    checkLeaf: checkCohortLeaf,
    findUndecidable,
    // Actions and flags need cohorts.
    findActions: (...which) => actions.service.findMany(...which),
    findFlagsUsing: (...which) => flags.findFlagsUsing(...which),
    changed: (projectId) => flags.rulesChanged(projectId),
    membersChanged: cohortCopies.applyNow,
  })
  const actions = createActionsFeature({
    ...shared,
    userLoader,
    findCohortsUsing: cohorts.service.findNamingAction,
  })
  const flags = createFlagsFeature({
    ...shared,
    ...asked,
    redis: stores.redis,
    geoIp,
    userLoader,
    dataDirectory,
    auditLog: access.activity,
    counters: stores.counters,
    rateLimits: { key: environment.flagRateLimitPerKey, address: environment.flagRateLimitPerAddress },
    payloadCipher: openPayloadCipher(environment, dataDirectory),
    projects: directory,
    cohorts: cohorts.service,
  })
  return { cohortCopies, cohorts, actions, flags }
}
