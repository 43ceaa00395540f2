import type { RestRoute } from "../rest-route.types.js"
import { actionRoutes } from "./actions.routes.js"
import { cohortRoutes } from "./cohorts.routes.js"
import { featureFlagActionRoutes } from "./feature-flag-actions.routes.js"
import { featureFlagCopiesRoutes } from "./feature-flag-copies.routes.js"
import { featureFlagEvaluationRoutes } from "./feature-flag-evaluation.routes.js"
import { featureFlagRoutes } from "./feature-flags.routes.js"
import { flagDefinitionRoutes } from "./flag-definitions.routes.js"
import { organizationRoutes } from "./organizations.routes.js"
import { personChangeRoutes } from "./person-changes.routes.js"
import { personTrendRoutes } from "./person-trends.routes.js"
import { personalApiKeyRoutes } from "./personal-api-keys.routes.js"
import { personRoutes } from "./persons.routes.js"
import { playlistRecordingRoutes } from "./playlist-recordings.routes.js"
import { playlistRoutes } from "./playlists.routes.js"
import { pluginLogRoutes } from "./plugin-logs.routes.js"
import { projectRoutes } from "./projects.routes.js"
import { queryRoutes } from "./queries.routes.js"
import { recordingRoutes } from "./recordings.routes.js"
import { userRoutes } from "./users.routes.js"

/** The whole management surface, one row a path and method. */
export const restRoutes: readonly RestRoute[] = [
  ...playlistRoutes,
  ...playlistRecordingRoutes,
  ...recordingRoutes,
  ...personTrendRoutes,
  ...personRoutes,
  ...personChangeRoutes,
  ...pluginLogRoutes,
  ...queryRoutes,
  ...featureFlagRoutes,
  ...featureFlagActionRoutes,
  ...featureFlagEvaluationRoutes,
  ...featureFlagCopiesRoutes,
  ...cohortRoutes,
  ...actionRoutes,
  ...flagDefinitionRoutes,
  ...projectRoutes,
  ...organizationRoutes,
  ...personalApiKeyRoutes,
  ...userRoutes,
]
