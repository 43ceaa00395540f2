import type { CaptureService } from "../../features/capture/index.js"
import type { PersonEvents } from "../../features/persons/index.js"
import type { ProjectDirectory } from "../../features/projects/index.js"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"

export interface PersonEventsDependencies {
  readonly capture: Pick<CaptureService, "capture">
  readonly projects: Pick<ProjectDirectory, "findById">
  readonly clock: Clock
}

/** Sends events about persons as the project itself, through capture like every other event. */
export function createPersonEvents({ capture, projects, clock }: PersonEventsDependencies): PersonEvents {
  return {
    async send(projectId, { name, distinctId, properties }) {
      const project = await projects.findById(projectId)
      if (project?.apiToken == null) throw new AppError("not_found", { detail: "Project not found." })
      const { dropped } = await capture.capture({
        token: project.apiToken,
        items: [{ event: name, distinct_id: distinctId, properties }],
        sentAtMs: null,
        historicalMigration: false,
        // Nobody's address: the place of the caller says nothing about the person.
        clientIp: "",
        receivedAtMs: clock.now(),
        defaultEventName: null,
      })
      const reason = dropped[0]?.reason
      if (reason !== undefined)
        throw new AppError("invalid_input", { attr: "properties", detail: `The change cannot be stored: ${reason}.` })
    },
  }
}
