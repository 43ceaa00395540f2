export {
  type BootstrapDependencies,
  type BootstrapOutcome,
  type BootstrapRequest,
  bootstrap,
} from "./bootstrap.store.js"
export { type Credentials, type CredentialsStore, createCredentialsStore } from "./credentials.store.js"
export { MyProjectResolver } from "./my-project.resolver.js"
export { OrganizationProjectsResolver } from "./organization-projects.resolver.js"
export { projectEntities } from "./project.entity.js"
export {
  createProjectDirectory,
  createProjectsFeature,
  type ProjectDirectoryFeatureDependencies,
  type ProjectsFeatureDependencies,
} from "./projects.feature.js"
export { ProjectType } from "./projects.graphql.js"
export { ProjectsResolver } from "./projects.resolver.js"
export type { Project, ProjectDirectory, ProjectKey } from "./projects.types.js"
