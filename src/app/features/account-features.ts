import { createAccessFeature } from "../../features/access/index.js"
import { ANONYMIZE_SETTING_CHECKS, CAPTURE_SETTING_CHECKS } from "../../features/capture/index.js"
import { COOKIELESS_SETTING_CHECKS } from "../../features/cookieless/index.js"
import { createFirstDashboard } from "../../features/dashboards/index.js"
import { FLAG_SETTING_CHECKS } from "../../features/flags/index.js"
import { PLUGIN_SETTING_CHECKS } from "../../features/plugins/index.js"
import { createProjectDirectory, createProjectsFeature, createRefusedKeys } from "../../features/projects/index.js"
import { RECORDING_SETTING_CHECKS } from "../../features/recordings/index.js"
import { createSignInFeature } from "../../features/sign-in/index.js"
import { toOidcSettings } from "./oidc-settings.js"
import type { Wiring } from "./wiring.js"

export type AccountFeatures = ReturnType<typeof createAccountFeatures>

/** Who may do what: organizations, users, keys, sign-in, projects and the directory that every request asks. */
export function createAccountFeatures({ environment, stores, limits, shared }: Wiring) {
  const refusedKeys = createRefusedKeys(shared.clock)
  const directory = createProjectDirectory(shared, limits.wrongProjectKeys, refusedKeys)
  const access = createAccessFeature({ ...shared, projects: directory })
  const signIn = createSignInFeature({
    ...shared,
    counters: stores.counters,
    oidc: toOidcSettings(environment),
    access,
  })
  const seedProject = createFirstDashboard(shared.newShortId)
  const projects = createProjectsFeature({
    ...shared,
    refusedKeys,
    seed: seedProject,
    directory,
    access,
    settingChecks: {
      ...ANONYMIZE_SETTING_CHECKS,
      ...CAPTURE_SETTING_CHECKS,
      ...COOKIELESS_SETTING_CHECKS,
      ...FLAG_SETTING_CHECKS,
      ...PLUGIN_SETTING_CHECKS,
      ...RECORDING_SETTING_CHECKS,
    },
  })
  return { access, directory, signIn, projects, seedProject }
}
