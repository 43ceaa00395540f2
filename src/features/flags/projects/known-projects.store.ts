import { join } from "node:path"
import { LRUCache } from "lru-cache"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject } from "../../../kernel/json.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { DecideProject, KeyedProject, ProjectDirectory } from "../flags.types.js"
import { readSnapshotFile, writeSnapshotFile } from "../rules/snapshot-file.store.js"
import { withinBudget } from "../within-budget.js"

/** Name of the file that keeps the known keys. */
export const KNOWN_PROJECTS_FILE = "project-keys.json"
/** While the directory fails, a known key is answered from memory for this long before the directory is asked again. */
const ASK_AGAIN_AFTER_MS = 2_000
/** How long somebody with a known key waits for the directory. */
const PATIENCE_MS = 200
const MAX_KNOWN = 10_000
/** Project keys are printable ASCII; anything else is not worth a look-up (PostgreSQL refuses NUL, for one). */
const KEY_SHAPE = /^[\x21-\x7e]{1,200}$/

/** Finds projects by key, and remembers the answers over a restart. */
export interface KnownProjects {
  /**
   * The project of a key, null for a key nobody has. Rejects only when the key was never seen, with what the directory fails with,
   * or with AppError rate_limited when the address has tried too many keys that there are not.
   */
  findByKey(token: string, senderIp: string): DecideProject | null | Promise<DecideProject | null>
  listProjectIds(): ProjectId[]
  /** Forgets the keys of a project. */
  forget(projectId: ProjectId): void
  /** Reads what was known before the last restart. */
  start(): Promise<void>
  /** Resolves when what is known is on disk. */
  settle(): Promise<void>
}

export interface KnownProjectsDependencies {
  readonly directory: Pick<ProjectDirectory, "findByKey" | "findCached">
  readonly clock: Clock
  readonly logger: Logger
  /** Directory of the file that keeps the known keys. */
  readonly snapshotDirectory: string
}

interface KnownProject {
  readonly project: DecideProject
  /** What the directory said last; null while it is only known from disk. */
  readonly source: KeyedProject | null
  readonly askAgainAtMs: number
}

/** Puts a memory that survives restarts behind the project directory, so that flags are answered when PostgreSQL is dead. */
export function createKnownProjects(dependencies: KnownProjectsDependencies): KnownProjects {
  const { directory, clock, logger, snapshotDirectory } = dependencies
  const file = join(snapshotDirectory, KNOWN_PROJECTS_FILE)
  const known = new LRUCache<string, KnownProject>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 })
  const asking = new Map<string, Promise<DecideProject | null>>()
  let saving: Promise<void> = Promise.resolve()

  const save = (): void => {
    const write = (): Promise<void> =>
      writeSnapshotFile(file, { projects: [...known.values()].toReversed().map(({ project }) => project) })
    saving = saving
      .then(write)
      .catch((err: unknown) => logger.warn("could not write the snapshot of project keys", { err }))
  }

  const learn = (token: string, source: KeyedProject | null): DecideProject | null => {
    const before = known.get(token)
    if (source === null) {
      if (known.delete(token)) save()
      return null
    }
    if (before?.source === source) return before.project
    const { organizationId, settings } = source
    const project = { projectId: source.id, token, ...(organizationId && { organizationId }), settings }
    known.set(token, { project, source, askAgainAtMs: 0 })
    if (JSON.stringify(before?.project) !== JSON.stringify(project)) save()
    return project
  }

  const ask = async (token: string, senderIp: string): Promise<DecideProject | null> => {
    const last = known.get(token)
    const answer = directory.findByKey(token, senderIp).then((source) => learn(token, source))
    if (last === undefined) return answer
    const outcome = await withinBudget(answer, PATIENCE_MS)
    if (outcome.ok) return outcome.value
    known.set(token, { ...last, askAgainAtMs: clock.now() + ASK_AGAIN_AFTER_MS })
    return last.project
  }

  return {
    findByKey: (token, senderIp) => {
      const cached = directory.findCached(token)
      if (cached !== undefined) return learn(token, cached)
      if (!KEY_SHAPE.test(token)) return null
      const last = known.get(token)
      if (last !== undefined && last.askAgainAtMs > clock.now()) return last.project
      let underWay = asking.get(token)
      if (underWay === undefined) {
        underWay = ask(token, senderIp).finally(() => asking.delete(token))
        asking.set(token, underWay)
      }
      return underWay
    },
    listProjectIds: () => [...new Set([...known.values()].map(({ project }) => project.projectId))],
    forget: (projectId) => {
      for (const [token, { project }] of known.entries()) if (project.projectId === projectId) learn(token, null)
    },
    start: async () => {
      const content = await readSnapshotFile(file)
      if (!isJsonObject(content) || !Array.isArray(content.projects)) return
      for (const project of content.projects as unknown as DecideProject[])
        if (!known.has(project.token)) known.set(project.token, { project, source: null, askAgainAtMs: 0 })
    },
    settle: () => saving,
  }
}
