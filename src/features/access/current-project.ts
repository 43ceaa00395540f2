import type { ProjectId } from "../../kernel/ids.js"
import type { Member, ProjectLookup } from "./access.types.js"

/** What `@current` stands for: the project the user chose, else the oldest one of the user's organizations. */
export async function findCurrentProject(member: Member | null, projects: ProjectLookup): Promise<ProjectId | null> {
  if (member === null) return null
  return member.currentProjectId ?? (await projects.findFirstProjectId([...member.roles.keys()]))
}
