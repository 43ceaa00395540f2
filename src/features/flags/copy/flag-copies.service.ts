import { AppError } from "../../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../../kernel/ids.js"
import type { Flag, FlagRequest } from "../flags.types.js"
import type { FlagService } from "../manage/flag.service.js"
import { type CopiedDefinitionsDependencies, type Copier, createCopiedDefinitions } from "./copied-definitions.js"

/** Which flag to copy where. */
export interface FlagCopyRequest {
  readonly from: ProjectId
  readonly key: string
  /** Projects as the caller names them. */
  readonly targets: readonly string[]
  /** Copies are switched off, whatever the flag is. */
  readonly isDisabled: boolean
}

/** What came of one target. */
export type FlagCopy =
  | { readonly target: string; readonly projectId: ProjectId; readonly flag: Flag }
  | { readonly target: string; readonly fault: AppError }

/** Copies flags to other projects of the organization (`docs/contract/flags.md#flag-management`, `copy_flags`). */
export interface FlagCopies {
  /**
   * Copies a flag to each target: over the flag of the same key, or as a new one. A target that cannot be had does not keep
   * the others from theirs.
   * @throws AppError does_not_exist for an unknown flag; required or max_length for the targets.
   */
  copy(copier: Copier, request: FlagCopyRequest): Promise<FlagCopy[]>
}

export interface FlagCopiesDependencies extends CopiedDefinitionsDependencies {
  readonly flags: Pick<FlagService, "export" | "create" | "update">
  /** Null when there is no such project. */
  readonly findOrganizationId: (projectId: ProjectId) => Promise<OrganizationId | null>
}

const MAX_TARGETS = 50

/** Makes the use case; every target goes through the same checks and the same audit as a change made there by hand. */
export function createFlagCopies(dependencies: FlagCopiesDependencies): FlagCopies {
  const { flags, store, findOrganizationId } = dependencies
  const definitionFor = createCopiedDefinitions(dependencies)

  const copyTo = async (
    copier: Copier,
    original: FlagRequest,
    { from, isDisabled }: FlagCopyRequest,
    target: string,
  ) => {
    const projectId = await copier.require(target, "feature_flag:write")
    if (projectId === from) throw notATarget("The flag is in this project already.")
    if ((await findOrganizationId(projectId)) !== (await findOrganizationId(from)))
      throw notATarget("The project belongs to another organization.")
    const present = await store.listAll(projectId)
    const filters = await definitionFor(copier, original, { from, to: projectId, present })
    const request = { ...original, filters, ...(isDisabled && { active: false }) }
    const same = present.find((flag) => flag.key === original.key)
    const flag =
      same === undefined
        ? await flags.create(projectId, copier.userId, request)
        : await flags.update(projectId, copier.userId, same.id, request, null)
    return { target, projectId, flag }
  }

  return {
    copy: async (copier, request) => {
      const targets = [...new Set(request.targets)]
      if (targets.length === 0) throw new AppError("required", { attr: "target_project_ids" })
      if (targets.length > MAX_TARGETS) throw tooMany()
      const original = await flags.export(request.from, request.key)
      const copies: FlagCopy[] = []
      for (const target of targets) {
        try {
          copies.push(await copyTo(copier, original, request, target))
        } catch (fault) {
          if (!(fault instanceof AppError)) throw fault
          copies.push({ target, fault })
        }
      }
      return copies
    },
  }
}

const notATarget = (detail: string): AppError => new AppError("invalid_input", { attr: "target_project_ids", detail })

const tooMany = (): AppError =>
  new AppError("max_length", {
    attr: "target_project_ids",
    detail: `Ensure this field has no more than ${MAX_TARGETS} entries.`,
  })
