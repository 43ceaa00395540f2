import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Caches are small because the whole process tree is meant to stay small; the operating system caches the files anyway. */
const SERVER_CONFIGURATION = (usersFile: string): string => `<clickhouse>
  <users_config>${escapeXml(usersFile)}</users_config>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <index_mark_cache_size>16777216</index_mark_cache_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
  <query_condition_cache_size>16777216</query_condition_cache_size>
  <compiled_expression_cache_size>16777216</compiled_expression_cache_size>
  <mmap_cache_size>64</mmap_cache_size>
  <max_server_memory_usage_to_ram_ratio>0.6</max_server_memory_usage_to_ram_ratio>
</clickhouse>
`

/**
 * Rights of the one user. Without the source grants (FILE, URL, S3, REMOTE, …) no statement, readonly or not, reaches
 * a file or the network through a table function, a table engine or the engine's own `default` database.
 * `async_insert` is on by default in this version, but an insert must be answered when its parts are on disk;
 * `max_query_size` counts parameters too, because they are bound by a statement.
 */
const USERS_CONFIGURATION = `<clickhouse>
  <users><default>
    <password></password>
    <profile>default</profile>
    <quota>default</quota>
    <networks><ip>::/0</ip></networks>
    <grants>
      <query>GRANT SHOW, SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP, TRUNCATE, OPTIMIZE ON waymark*.*</query>
      <query>GRANT SHOW, SELECT ON system.*</query>
      <query>GRANT SHOW, SELECT ON information_schema.*</query>
    </grants>
  </default></users>
  <profiles><default>
    <implicit_select>0</implicit_select>
    <allow_introspection_functions>0</allow_introspection_functions>
    <log_queries>0</log_queries>
    <async_insert>0</async_insert>
    <max_query_size>1073741824</max_query_size>
  </default></profiles>
  <quotas><default></default></quotas>
</clickhouse>
`

/** Writes the engine's configuration next to its data and returns the command line that makes the engine read it. */
export function writeEngineConfiguration(dataDirectory: string): string[] {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const usersFile = join(dataDirectory, "users.xml")
  const serverFile = join(dataDirectory, "config.xml")
  writeFileSync(usersFile, USERS_CONFIGURATION, { mode: 0o600 })
  writeFileSync(serverFile, SERVER_CONFIGURATION(usersFile), { mode: 0o600 })
  return [`--config-file=${serverFile}`]
}

const escapeXml = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
