import type { Cluster, Layout } from "./cluster.types.js"
import { rewriteCommand } from "./rewrite-command.js"
import { readSystemEverywhere } from "./rewrite-tables.js"

/** Decision 0092 says why each is as it is. */
const SETTINGS = {
  // Writes and reads go to the first replica of a shard that is there, whichever server takes the statement.
  load_balancing: "in_order",
  prefer_localhost_replica: 0,
  skip_unavailable_shards: 0,
  // What is joined or looked up in is worked out once, of all shards, and sent to each.
  distributed_product_mode: "global",
  // Later releases filter what is joined before they know it from a shard, and lose rows of merged persons.
  compatibility: "25.8",
  // Answered when most replicas of each shard have the rows.
  distributed_foreground_insert: 1,
  insert_quorum: "auto",
  insert_quorum_timeout: 60_000,
  // Rows of INSERT … SELECT lie where their key says, and not where they were read.
  parallel_distributed_insert_select: 0,
  // A server that is away does the same once it is back.
  distributed_ddl_output_mode: "throw_only_active",
  distributed_ddl_task_timeout: 120,
  // Deletions look ids up in tables; a replica that found others takes the part of who was first.
  allow_nondeterministic_mutations: 1,
} as const

/** One server: statements are what they say. */
export const ONE_SERVER: Layout = {
  toCommands: (sql) => [sql],
  toRead: (sql) => sql,
  settings: {},
  controlSettings: {},
}

/**
 * A cluster: a table `x` is spread over the shards as `x_local`, and read and written through `x`. Nobody but this room
 * knows of it.
 * @param database whose tables they are.
 */
export const clusterLayout = (cluster: Cluster, database: string): Layout => ({
  toCommands: (sql) => rewriteCommand(readSystemEverywhere(sql, cluster.name), cluster, database),
  toRead: (sql) => readSystemEverywhere(sql, cluster.name),
  settings: SETTINGS,
  controlSettings: { ...SETTINGS, skip_unavailable_shards: 1 },
})
