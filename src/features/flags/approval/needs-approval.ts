import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectDirectory } from "../flags.types.js"

/** The setting of a project by which changes of its flags need a second person. */
export const APPROVAL_SETTING = "feature_flag_approval"

/** Whether changes of a project's flags need a second person. Rejects when that cannot be told. */
export type NeedsApproval = (projectId: ProjectId) => Promise<boolean>

/** Reads the setting from what is known of the project. */
export const createNeedsApproval =
  (projects: Pick<ProjectDirectory, "findById">): NeedsApproval =>
  async (projectId) =>
    (await projects.findById(projectId))?.settings[APPROVAL_SETTING] === true
