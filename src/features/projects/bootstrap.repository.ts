import type { EntityManager } from "@mikro-orm/postgresql"
import type { Clock } from "../../kernel/clock.js"
import { asProjectId, type ProjectId } from "../../kernel/ids.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Records } from "../../platform/postgres/records.js"
import {
  findOwner,
  PERSONAL_KEY_PREFIX,
  provisionCurrentProject,
  provisionOwner,
  provisionPersonalKey,
} from "../access/index.js"
import { type Credentials, saveCredentials } from "./credentials.store.js"
import { ProjectEntity, ProjectKeyEntity } from "./project.entity.js"
import { addProject, type SeedProject } from "./project.repository.js"
import { PROJECT_TOKEN_PREFIX } from "./project-token.js"

/** Programs that are started together wait for each other under this name. */
const LOCK_NAME = "waymark bootstrap"
/** The sequence of the column begins behind it (migration 0020). */
const FIRST_PROJECT = asProjectId(1)

/** Values that the operator fixes; what is absent is made up at the first start. */
export interface BootstrapRequest {
  readonly projectApiKey?: string | null
  readonly personalApiKey?: string | null
}

/** What the start found or made. */
export interface BootstrapOutcome {
  readonly isFirstStart: boolean
  /** Keys to print this once, with the file that keeps them, if any; null when none was made up now. */
  readonly generated: (Credentials & { readonly path: string | null }) | null
}

export interface BootstrapDependencies {
  readonly records: Records
  /** Where made-up keys are stored; null for a process without a directory, which only prints them. */
  readonly dataDirectory: string | null
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** What else the first project is given; nothing when absent. */
  readonly seed?: SeedProject
}

/**
 * Makes the first organization, owner, project and keys in an empty store; later adds keys that the operator has newly
 * fixed. Safe to run at every start and by several programs at once.
 * @throws StartupError when a fixed value belongs to another project.
 */
export async function bootstrap(
  dependencies: BootstrapDependencies,
  request: BootstrapRequest,
): Promise<BootstrapOutcome> {
  return dependencies.records.writeExclusively(LOCK_NAME, async (em) => {
    const [project] = await em.find(ProjectEntity, {}, { orderBy: { id: "asc" }, limit: 1 })
    if (project === undefined) return provisionAll(em, dependencies, request)
    await addFixedKeys(em, dependencies, request, project)
    return { isFirstStart: false, generated: null }
  })
}

async function provisionAll(
  em: EntityManager,
  { dataDirectory, clock, ids, seed }: BootstrapDependencies,
  request: BootstrapRequest,
): Promise<BootstrapOutcome> {
  const now = new Date(clock.now())
  const projectApiKey = request.projectApiKey ?? ids.secret(PROJECT_TOKEN_PREFIX)
  const personalApiKey = request.personalApiKey ?? ids.secret(PERSONAL_KEY_PREFIX)
  const { organizationId, userId } = await provisionOwner(em, ids, now)
  const project = {
    id: FIRST_PROJECT,
    uuid: ids.uuidV4(),
    organizationId,
    name: "My project",
    timezone: "UTC",
    weekStartDay: 0,
    settings: {},
  }
  await addProject(em, project, { id: ids.uuidV7(), token: projectApiKey, createdAt: now }, seed)
  await provisionCurrentProject(em, userId, FIRST_PROJECT)
  await provisionPersonalKey(em, ids, { userId, value: personalApiKey, now })
  await em.flush()
  if (request.projectApiKey != null && request.personalApiKey != null) return { isFirstStart: true, generated: null }
  // On disk before the commit: a personal key that exists only as a hash would be lost for good.
  const path = dataDirectory === null ? null : saveCredentials(dataDirectory, { projectApiKey, personalApiKey })
  return { isFirstStart: true, generated: { projectApiKey, personalApiKey, path } }
}

async function addFixedKeys(
  em: EntityManager,
  { clock, ids, logger }: BootstrapDependencies,
  { projectApiKey, personalApiKey }: BootstrapRequest,
  project: ProjectEntity,
): Promise<void> {
  const now = new Date(clock.now())
  if (projectApiKey != null)
    await addFixedProjectKey(em, project, { id: ids.uuidV7(), token: projectApiKey, createdAt: now })
  if (personalApiKey == null) return
  const userId = await findOwner(em, project.organizationId)
  if (userId === null) return
  const outcome = await provisionPersonalKey(em, ids, { userId, value: personalApiKey, now })
  if (outcome === "added") logger.info("added the personal key that the environment names")
}

async function addFixedProjectKey(
  em: EntityManager,
  project: ProjectEntity,
  key: { readonly id: string; readonly token: string; readonly createdAt: Date },
): Promise<void> {
  const known = await em.findOne(ProjectKeyEntity, { token: key.token })
  if (known === null) {
    em.create(ProjectKeyEntity, { ...key, project, revokedAt: null })
    return
  }
  const owner: ProjectId = known.project.id
  if (owner !== project.id)
    throw new StartupError(
      `BOOTSTRAP_PROJECT_API_KEY belongs to project ${owner} already; project ${project.id} cannot have it too.`,
    )
}
