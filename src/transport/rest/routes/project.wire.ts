import type { JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, NULLABLE_TEXT, objectOf, TEXT } from "../../../kernel/json-schema.js"

/** A project as the operations answer it. */
export interface ProjectData {
  readonly id: string
  readonly uuid: string
  readonly organizationId: string
  readonly apiToken: string | null
  readonly name: string
  readonly timezone: string
  readonly weekStartDay: number
  readonly settings: JsonObject
  readonly createdAt: string
  readonly ingestedEvent: boolean
}

/** GraphQL fields of `ProjectData`. */
export const PROJECT_FIELDS =
  "id uuid organizationId apiToken name timezone weekStartDay settings createdAt ingestedEvent"

/** A project as lists of projects show it. */
export const toWireProject = (project: ProjectData) => ({
  id: Number(project.id),
  uuid: project.uuid,
  organization: project.organizationId,
  project_id: Number(project.id),
  api_token: project.apiToken,
  name: project.name,
  completed_snippet_onboarding: project.ingestedEvent,
  has_completed_onboarding_for: {},
  ingested_event: project.ingestedEvent,
  is_demo: false,
  access_control: false,
  timezone: project.timezone,
})

/** JSON Schema of a project in a list. */
export const PROJECT = objectOf({
  id: INTEGER,
  uuid: { type: "string", format: "uuid" },
  organization: { type: "string", format: "uuid" },
  project_id: INTEGER,
  api_token: NULLABLE_TEXT,
  name: TEXT,
  completed_snippet_onboarding: BOOLEAN,
  has_completed_onboarding_for: ANY_OBJECT,
  ingested_event: BOOLEAN,
  is_demo: BOOLEAN,
  access_control: BOOLEAN,
  timezone: TEXT,
})
