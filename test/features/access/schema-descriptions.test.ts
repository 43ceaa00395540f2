import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { isInputObjectType, isIntrospectionType, isObjectType } from "graphql"
import { startTenancyApp, type TenancyApp } from "./tenancy-app.js"

let app: TenancyApp
beforeAll(async () => {
  app = await startTenancyApp()
})
afterAll(() => app.stop())

test("every type, field and argument of access and projects is described", () => {
  const silent: string[] = []
  const roots = [app.schema.getQueryType(), app.schema.getMutationType()]
  for (const type of Object.values(app.schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue
    if (!type.description && !roots.some((root) => root === type)) silent.push(type.name)
    if (isInputObjectType(type) || isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        if (!field.description) silent.push(`${type.name}.${field.name}`)
        if ("args" in field) {
          for (const argument of field.args) {
            if (!argument.description) silent.push(`${type.name}.${field.name}(${argument.name})`)
          }
        }
      }
    }
  }
  expect(silent).toEqual([])
})
