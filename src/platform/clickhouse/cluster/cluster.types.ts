/** A table whose rows are spread over the shards. */
export interface ShardedTable {
  /**
   * Expression over its columns that decides where a row lies. It may name columns of the order alone, so that all
   * versions of a row lie together, and none whose value could be another one when an insert is repeated.
   */
  readonly shardedBy: string
  /**
   * Whether views of other tables fill it: rows then come from several shards under the one token of their insert, and
   * must not be taken for repetitions of each other.
   */
  readonly isFilledByViews?: true
}

/** Servers of ClickHouse that hold one set of tables, as their `remote_servers` describes them. */
export interface Cluster {
  readonly name: string
  /** By name. Tables that are not listed hold no rows. */
  readonly tables: Readonly<Record<string, ShardedTable>>
}

/** How statements are put to an installation. */
export interface Layout {
  /** The statements that do what a statement asks for, in their order. */
  toCommands(sql: string): readonly string[]
  toRead(sql: string): string
  /** Go with every statement. */
  readonly settings: Readonly<Record<string, string | number>>
  /** Go with those that watch or stop others: what a server that is away runs is not asked for. */
  readonly controlSettings: Readonly<Record<string, string | number>>
}
