export {
  type BootstrapDependencies,
  bootstrap,
} from "./bootstrap.repository.js"
export { type Credentials, createCredentialsStore } from "./credentials.store.js"
export { MyProjectResolver } from "./my-project.resolver.js"
export { OrganizationProjectsResolver } from "./organization-projects.resolver.js"
export { ProjectEntity, projectEntities } from "./project.entity.js"
export {
  createProjectDirectory,
  createProjectsFeature,
} from "./projects.feature.js"
export { ProjectsResolver } from "./projects.resolver.js"
export type { Project, ProjectDirectory } from "./projects.types.js"
export { ProjectSecretsResolver } from "./secrets/project-secrets.resolver.js"
