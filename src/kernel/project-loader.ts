import DataLoader from "dataloader"
import type { ProjectId } from "./ids.js"
import type { LoaderFactory } from "./request-context.js"

/** A key of one project: loaders never answer across projects. */
export interface InProject<Key> {
  readonly projectId: ProjectId
  readonly key: Key
}

/**
 * Makes the loader of one kind of record: whatever is asked for in one tick is read at once for each project.
 * @param read gives what finds the value of each of the keys.
 */
export function createProjectLoader<Key extends string, Value>(
  read: (projectId: ProjectId, keys: readonly Key[]) => Promise<(key: Key) => Value>,
): LoaderFactory<InProject<Key>, Value> {
  return () =>
    new DataLoader<InProject<Key>, Value, string>(
      async (wanted) => {
        const values: Value[] = []
        for (const [projectId, own] of Map.groupBy(wanted.entries(), ([, one]) => one.projectId)) {
          const keys = own.map(([, { key }]) => key)
          const find = await read(projectId, keys)
          for (const [index, { key }] of own) values[index] = find(key)
        }
        return values
      },
      { cacheKeyFn: ({ projectId, key }) => `${projectId}:${key}` },
    )
}
