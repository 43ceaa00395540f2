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

/**
 * Makes the loader of look-ups of one kind of record: what is looked up in one tick is read at once for each project.
 * Nothing is kept for later, because a change may come between two look-ups of a request.
 * @param toKey gives the key by which a record was looked up.
 */
export function createLookUpLoader<Value>(
  read: (projectId: ProjectId, keys: readonly string[]) => Promise<readonly Value[]>,
  toKey: (value: Value) => string,
): LoaderFactory<InProject<string>, Value | null> {
  return () =>
    new DataLoader<InProject<string>, Value | null>(
      async (wanted) => {
        const found = new Map<ProjectId, Map<string, Value>>()
        for (const [projectId, own] of Map.groupBy(wanted, (one) => one.projectId)) {
          const values = await read(projectId, [...new Set(own.map(({ key }) => key))])
          found.set(projectId, new Map(values.map((value) => [toKey(value), value])))
        }
        return wanted.map(({ projectId, key }) => found.get(projectId)?.get(key) ?? null)
      },
      { cache: false },
    )
}
