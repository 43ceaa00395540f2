/** Settings by name. Values that matter for durability are spelled out although they are PostgreSQL's defaults. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Sized for one program on a small machine.
  shared_buffers: "64MB",
  // Those of one process, with one for each of up to 64 shards.
  max_connections: "100",
  work_mem: "8MB",
  maintenance_work_mem: "48MB",
  max_worker_processes: "4",
  max_parallel_workers: "2",
  autovacuum: "on",
  autovacuum_max_workers: "2",
  // Reading through worker processes gains nothing at this size.
  io_method: "sync",
  jit: "off",
  // There are no standby servers, so none of their processes and none of their extra log volume.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_replication_slots: "0",
  max_logical_replication_workers: "0",
  log_destination: "stderr",
  log_checkpoints: "off",
  // A failed statement may carry personal data; it stays out of the log.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  timezone: "UTC",
  log_timezone: "UTC",
}

const MIB = 1024 * 1024
/** PostgreSQL keeps at least four files of 16 MiB moving. */
const LEAST_WAL_BYTES = 64 * MIB
const MOST_WAL_BYTES = 512 * MIB
/** Files that are written again instead of new ones, which takes less time. */
const KEPT_WAL_BYTES = 80 * MIB
const WAL_SHARE_OF_DISK = 1 / 16

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / MIB)}MB`

/**
 * Bytes that the write-ahead log may take between checkpoints on a disk of this size: it must not fill a small one, on which
 * PostgreSQL could then not even recover.
 */
export const maxWalBytes = (diskBytes: number): number =>
  Math.min(MOST_WAL_BYTES, Math.max(LEAST_WAL_BYTES, Math.floor(diskBytes * WAL_SHARE_OF_DISK)))

/** Command line of the server: its data, a unix socket that only its own user may use, no network port. */
export function serverArguments(dataDirectory: string, socketDirectory: string, walBytes: number): string[] {
  const settings = {
    ...SETTINGS,
    max_wal_size: toMegabytes(walBytes),
    min_wal_size: toMegabytes(Math.min(KEPT_WAL_BYTES, walBytes / 2)),
    listen_addresses: "",
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: "0700",
  }
  return ["-D", dataDirectory, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])]
}
