import "reflect-metadata"
import { createParameterDecorator, Extensions, ID, type ParameterDecorator } from "type-graphql"
import type { PrincipalRule, ProjectRule, RequestContext } from "../../kernel/request-context.js"

/** What an operation demands of its caller; each guarded field of the schema has it as its extension `demand`. */
export interface OperationDemand {
  /** Null when every valid key will do. */
  readonly scope: string | null
  /** What the operation works on: one project, one organization, or what the caller alone decides. */
  readonly guard: "project" | "organization" | "principal"
  /** Whether it lets in keys that are bound to projects; those on a project always do. */
  readonly isOpenToBoundKeys: boolean
}

/**
 * Parameter of a resolver method that works on one project's data. Declares the GraphQL argument
 * `projectId: ID! = "@current"` (another name for operations on projects themselves) and gives the method the
 * `ProjectId`, checked for key, binding, membership and `scope`. Secret keys of a project are refused unless
 * `rule.openToSecretKeys`.
 * @throws AppError 401, 403 or 404 as `ProjectAccess.requireProject`; the method itself is then never called.
 */
export function ProjectScope(scope: string, argumentName = "projectId", rule: ProjectRule = {}): ParameterDecorator {
  const decorate = createParameterDecorator<RequestContext>(
    ({ context, args }) => context.access.requireProject(context, String(args[argumentName]), scope, rule),
    {
      arg: {
        name: argumentName,
        typeFunc: () => ID,
        options: {
          defaultValue: "@current",
          description: "Number of the project, its public key, or `@current` for the caller's own.",
        },
      },
    },
  )
  return withDemand(decorate, { scope, guard: "project", isOpenToBoundKeys: true })
}

/**
 * Parameter of a resolver method that works on one organization. Declares the GraphQL argument `id: ID! = "@current"` and
 * gives the method the `OrganizationId`, checked for key, binding and `scope`. Keys bound to projects are refused.
 * @throws AppError 401, 403 or 404 as `ProjectAccess.requireOrganization`.
 */
export function OrganizationScope(scope: string): ParameterDecorator {
  const decorate = createParameterDecorator<RequestContext>(
    ({ context, args }) => context.access.requireOrganization(context, String(args.id), scope),
    {
      arg: {
        name: "id",
        typeFunc: () => ID,
        options: { defaultValue: "@current", description: "UUID of the organization, or `@current` for the caller's." },
      },
    },
  )
  return withDemand(decorate, { scope, guard: "organization", isOpenToBoundKeys: false })
}

/**
 * Parameter of a resolver method for which every valid key is good enough, whatever its scopes and bindings: it tells of the
 * key itself. @throws AppError 401.
 */
export function AnyKey(): ParameterDecorator {
  const decorate = createParameterDecorator<RequestContext>(({ context }) =>
    context.access.requirePrincipal(context, null, { openToBoundKeys: true }),
  )
  return withDemand(decorate, { scope: null, guard: "principal", isOpenToBoundKeys: true })
}

/**
 * Parameter of a resolver method outside any project. Gives the method the `Principal`, checked for `scope`.
 * A key bound to projects is refused unless `rule.openToBoundKeys`.
 * @throws AppError 401 or 403 as `ProjectAccess.requirePrincipal`.
 */
export function PrincipalScope(scope: string, rule: PrincipalRule = {}): ParameterDecorator {
  const decorate = createParameterDecorator<RequestContext>(({ context }) =>
    context.access.requirePrincipal(context, scope, rule),
  )
  return withDemand(decorate, { scope, guard: "principal", isOpenToBoundKeys: rule.openToBoundKeys === true })
}

function withDemand(decorate: ParameterDecorator, demand: OperationDemand): ParameterDecorator {
  const extend: (prototype: object, propertyKey: string) => void = Extensions({ demand })
  return (prototype, propertyKey, parameterIndex) => {
    extend(prototype, String(propertyKey))
    decorate(prototype, propertyKey, parameterIndex)
  }
}
