import { expect, test } from "@jest/globals"
import { defineRoutes } from "../../../src/transport/rest/define-route.js"

const { route } = defineRoutes({
  path: "/api/things",
  scope: "cohort",
  source: "docs/contract/cohorts.md#cohort-management",
})

test("a row knows the variables and the answer of its operation, so that the compiler refuses any other", () => {
  const row = route({
    id: "cohorts_members_add",
    on: "POST /:id/members",
    operation: "mutation { count: addCohortMembers }",
    summary: "Add persons.",
    // @ts-expect-error There is no such variable.
    variables: () => ({ id: "1", distinctIDs: ["ada"] }),
    // @ts-expect-error There is no such field.
    reply: ({ counted }) => ({ status: 200, body: { counted } }),
  })
  expect(row).toMatchObject({ id: "cohorts_members_add", method: "POST", scope: "cohort:write" })
})
