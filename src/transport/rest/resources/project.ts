import { ANY_OBJECT, BOOLEAN, INTEGER, NULLABLE_TEXT, TEXT, TIME, UUID } from "../../../kernel/json-schema.js"
import { defineResource, type ResourceField } from "./resource.js"

const FIELDS: Readonly<Record<string, ResourceField>> = {
  id: { schema: INTEGER, show: Number },
  uuid: { schema: UUID },
  organization: { schema: UUID, from: "organizationId" },
  project_id: { schema: INTEGER, from: "id", show: Number },
  api_token: { schema: NULLABLE_TEXT },
  name: { schema: TEXT },
  completed_snippet_onboarding: { schema: BOOLEAN, from: "ingestedEvent" },
  has_completed_onboarding_for: { schema: ANY_OBJECT, always: {} },
  ingested_event: { schema: BOOLEAN },
  is_demo: { schema: BOOLEAN, always: false },
  access_control: { schema: BOOLEAN, always: false },
  timezone: { schema: TEXT },
}

/** A project as lists of projects show it. */
export const PROJECT = defineResource(["Project", "Project"], FIELDS)

/** A project by itself, its settings aside. */
export const WHOLE_PROJECT = defineResource(["ProjectWithDates", "Project"], {
  ...FIELDS,
  created_at: { schema: TIME },
  week_start_day: { schema: INTEGER },
})
