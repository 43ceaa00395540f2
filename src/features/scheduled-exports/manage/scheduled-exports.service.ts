import type { Clock } from "../../../kernel/clock.js"
import { AppError, orNotFound } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { requireName } from "../../../kernel/text-length.js"
import { toFullSecond, toIntervalEnd, toIntervalStart } from "../runs/interval.js"
import type { ExportRun, ExportTarget, ScheduledExport } from "../scheduled-exports.types.js"
import type { TargetOpener } from "../targets/open-target.store.js"
import { TargetFault } from "../targets/target.types.js"
import { readTarget } from "./read-target.js"
import type { ScheduledExportRepository } from "./scheduled-export.repository.js"
import type { ScheduledExportInput, ScheduledExportTargetInput } from "./scheduled-exports.graphql.js"

const MAX_NAME_LENGTH = 200

export interface ScheduledExportsDependencies {
  readonly repository: ScheduledExportRepository
  readonly targets: TargetOpener
  /** The last batch of events of a project that is stored. */
  readonly findLastBatch: (projectId: ProjectId) => Promise<number>
  readonly allowsPrivateAddresses: boolean
  readonly clock: Clock
}

export type ScheduledExportsService = ReturnType<typeof createScheduledExports>

/** Use cases of exports by schedule (decision 0096). Faults are AppErrors naming the field and the rule. */
export function createScheduledExports(dependencies: ScheduledExportsDependencies) {
  const { repository, targets, findLastBatch, allowsPrivateAddresses, clock } = dependencies
  const now = (): Date => new Date(clock.now())

  /** Where files go to, once something could be written there. */
  const tryTarget = async (
    projectId: ProjectId,
    wanted: ScheduledExportTargetInput,
    known: ScheduledExport | null,
  ): Promise<Pick<ScheduledExport, "target" | "sealedSecret">> => {
    const { target, secret } = readTarget(wanted, allowsPrivateAddresses)
    try {
      const sealedSecret = secret === null ? keepSecret(target, known) : targets.seal(projectId, secret)
      await targets.open({ id: known?.id ?? null, projectId, target, sealedSecret }).check()
      return { target, sealedSecret }
    } catch (fault) {
      if (!(fault instanceof TargetFault)) throw fault
      throw new AppError("invalid_input", { attr: "target", detail: fault.message, cause: fault })
    }
  }

  return {
    /** Newest first. */
    list: (projectId: ProjectId, page: PageRequest): Promise<ListPage<ScheduledExport>> =>
      repository.list(projectId, page),

    /** Those of these numbers. */
    findMany: repository.findMany,

    /** Newest first; none of an export that there is not. */
    listRuns: (projectId: ProjectId, id: number, page: PageRequest): Promise<ListPage<ExportRun>> =>
      repository.listRuns(projectId, id, page),

    /**
     * Makes an export whose first interval is the present one: what was stored before is not in it.
     * @throws AppError required, blank, max_length, invalid_input for a target that cannot be written and for too many.
     */
    async create(projectId: ProjectId, author: UserId, request: ScheduledExportInput): Promise<ScheduledExport> {
      const { name, content, frequency, format, target, isPaused } = request
      if (name == null) throw new AppError("required", { attr: "name" })
      if (content == null) throw new AppError("required", { attr: "content" })
      if (target == null) throw new AppError("required", { attr: "target" })
      const fields = { name: requireName("name", name, MAX_NAME_LENGTH), content, format: format ?? "parquet" }
      const tried = await tryTarget(projectId, target, null)
      const at = now()
      const exportedUntil = toIntervalStart(frequency ?? "hourly", at)
      return repository.insert(
        {
          ...fields,
          ...tried,
          projectId,
          frequency: frequency ?? "hourly",
          isPaused: isPaused ?? false,
          exportedUntil,
          afterBatch: await findLastBatch(projectId),
          cutAt: null,
          dueAt: toIntervalEnd(frequency ?? "hourly", exportedUntil),
          failingSince: null,
          createdAt: at,
          updatedAt: at,
        },
        author,
      )
    },

    /** @throws AppError not_found, and those of `create`. */
    async update(
      projectId: ProjectId,
      author: UserId,
      id: number,
      { name, content, frequency, format, target, isPaused }: ScheduledExportInput,
    ): Promise<ScheduledExport> {
      const [found = null] = await repository.findMany(projectId, [id])
      const known = orNotFound(found)
      if (content != null && content !== known.content)
        throw new AppError("invalid_input", { attr: "content", detail: "content stays; make another export." })
      const changes = {
        ...(name != null && { name: requireName("name", name, MAX_NAME_LENGTH) }),
        ...(frequency != null && { frequency }),
        ...(format != null && { format }),
        ...(isPaused != null && { isPaused }),
        ...(target != null && (await tryTarget(projectId, target, known))),
        // The worker finds out when the next interval ends, and tries again what failed.
        dueAt: now(),
        updatedAt: now(),
      }
      return orNotFound(await repository.update(projectId, id, changes, author))
    },

    /** Files that are written stay. @throws AppError not_found. */
    async remove(projectId: ProjectId, author: UserId, id: number): Promise<void> {
      if (!(await repository.remove(projectId, id, author, now()))) throw new AppError("not_found")
    },

    /**
     * Ends the present interval with this second, or tries one that failed again.
     * @throws AppError not_found, invalid_input for one that is paused.
     */
    async runNow(projectId: ProjectId, author: UserId, id: number): Promise<ScheduledExport> {
      const [found = null] = await repository.findMany(projectId, [id])
      if (orNotFound(found).isPaused)
        throw new AppError("invalid_input", { attr: "id", detail: "The export is paused." })
      const at = now()
      return orNotFound(await repository.cut(projectId, id, toFullSecond(at), author, at))
    },
  }
}

/** What was entered before, for the same server and key alone. @throws AppError required. */
function keepSecret(target: ExportTarget, known: ScheduledExport | null): string | null {
  if (target.kind === "folder") return null
  const isSame = known?.target.endpoint === target.endpoint && known?.target.accessKeyId === target.accessKeyId
  if (known !== null && isSame && known.sealedSecret !== null) return known.sealedSecret
  throw new AppError("required", { attr: "target__s3__secretAccessKey" })
}
