/** Types of the operations of REST rows by the ids of the rows. Written by `npm run schema`. */
import type { ActionsOperations } from "./actions.js"
import type { CohortsOperations } from "./cohorts.js"
import type { FeatureFlagOperations } from "./feature-flag.js"
import type { FeatureFlagsOperations } from "./feature-flags.js"
import type { FlagsOperations } from "./flags.js"
import type { OrganizationsOperations } from "./organizations.js"
import type { PersonalApiKeysOperations } from "./personal-api-keys.js"
import type { PersonsOperations } from "./persons.js"
import type { PluginConfigsOperations } from "./plugin-configs.js"
import type { ProjectsOperations } from "./projects.js"
import type { QueryOperations } from "./query.js"
import type { SessionRecordingPlaylistsOperations } from "./session-recording-playlists.js"
import type { SessionRecordingsOperations } from "./session-recordings.js"
import type { UsersOperations } from "./users.js"

export interface RowOperations
  extends SessionRecordingPlaylistsOperations,
    SessionRecordingsOperations,
    PersonsOperations,
    PluginConfigsOperations,
    QueryOperations,
    FeatureFlagsOperations,
    CohortsOperations,
    ActionsOperations,
    FlagsOperations,
    FeatureFlagOperations,
    ProjectsOperations,
    OrganizationsOperations,
    PersonalApiKeysOperations,
    UsersOperations {}
