import {
  ActivityResolver,
  InvitationsResolver,
  MembersResolver,
  OrganizationsResolver,
  PersonalKeysResolver,
  UsersResolver,
} from "../features/access/index.js"
import { ActionsResolver } from "../features/actions/index.js"
import { ageingResolverClasses } from "../features/ageing/index.js"
import { CaptureResolver } from "../features/capture/index.js"
import { CohortsResolver } from "../features/cohorts/index.js"
import { dashboardResolverClasses } from "../features/dashboards/index.js"
import { definitionResolverClasses } from "../features/definitions/index.js"
import { flagResolverClasses } from "../features/flags/index.js"
import { DeadLettersResolver, IngestionResolver, LiveEventsResolver } from "../features/ingestion/index.js"
import { InsightsResolver } from "../features/insights/index.js"
import { personResolverClasses } from "../features/persons/index.js"
import { playlistResolverClasses } from "../features/playlists/index.js"
import { PluginsResolver } from "../features/plugins/index.js"
import {
  MyProjectResolver,
  OrganizationProjectsResolver,
  ProjectSecretsResolver,
  ProjectsResolver,
  RefusedKeysResolver,
} from "../features/projects/index.js"
import { queryResolverClasses } from "../features/queries/index.js"
import { recordingResolverClasses } from "../features/recordings/index.js"
import { scheduledExportResolverClasses } from "../features/scheduled-exports/index.js"
import { ServerHealthResolver } from "../features/server-health/index.js"
import { AccountResolver, TotpResolver } from "../features/sign-in/index.js"

type ResolverClass = abstract new (...dependencies: never[]) => object

/** Every resolver class: what the schema is made of. `createFeatures` has an instance of each. */
export const RESOLVER_CLASSES: readonly ResolverClass[] = [
  UsersResolver,
  ActivityResolver,
  InvitationsResolver,
  MembersResolver,
  OrganizationsResolver,
  PersonalKeysResolver,
  AccountResolver,
  TotpResolver,
  ProjectSecretsResolver,
  ProjectsResolver,
  MyProjectResolver,
  OrganizationProjectsResolver,
  RefusedKeysResolver,
  CaptureResolver,
  IngestionResolver,
  DeadLettersResolver,
  LiveEventsResolver,
  ...personResolverClasses,
  ...flagResolverClasses,
  CohortsResolver,
  ActionsResolver,
  ...recordingResolverClasses,
  ...playlistResolverClasses,
  ...definitionResolverClasses,
  InsightsResolver,
  ...dashboardResolverClasses,
  PluginsResolver,
  ...queryResolverClasses,
  ...ageingResolverClasses,
  ...scheduledExportResolverClasses,
  ServerHealthResolver,
]
