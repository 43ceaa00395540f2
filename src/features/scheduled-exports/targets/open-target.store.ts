import { join } from "node:path"
import type { TextCipher } from "../../../platform/encryption/text-cipher.js"
import type { ScheduledExport } from "../scheduled-exports.types.js"
import { openFolderTarget } from "./folder-target.store.js"
import { openS3Target, type S3Access } from "./s3-target.store.js"
import { toPurpose } from "./secret-purpose.js"
import { type OpenTarget, TargetFault } from "./target.types.js"

export interface TargetOpenerDependencies {
  /** Where folders of exports are; null when there is no such place. */
  readonly exportDirectory: string | null
  readonly s3: S3Access
  /** Null on a server that has no key. */
  readonly cipher: TextCipher | null
}

/** The export whose files go somewhere; one that is to be made has no number yet. */
export type ExportWithTarget = Pick<ScheduledExport, "projectId" | "target" | "sealedSecret"> & {
  readonly id: number | null
}

export type TargetOpener = ReturnType<typeof createTargetOpener>

/** Opens where exports write, and keeps the secrets of buckets. */
export function createTargetOpener({ exportDirectory, s3, cipher }: TargetOpenerDependencies) {
  return {
    /** @throws TargetFault when this server cannot write there at all. */
    open({ id, projectId, target, sealedSecret }: ExportWithTarget): OpenTarget {
      const { kind, prefix, endpoint, region, bucket, accessKeyId } = target
      if (kind === "folder") {
        if (exportDirectory === null) throw new TargetFault(NO_DIRECTORY)
        // No two exports share a folder, and none has one of another project.
        const own = join(`project-${projectId}`, id === null ? "" : `export-${id}`)
        return openFolderTarget(join(exportDirectory, own, prefix), s3.newId)
      }
      const secretAccessKey = sealedSecret && (cipher?.decrypt(sealedSecret, toPurpose(projectId)) ?? null)
      if (secretAccessKey === null) throw new TargetFault(NO_FITTING_KEY)
      if (endpoint === null || region === null || bucket === null || accessKeyId === null)
        throw new Error("the target of a bucket names all of it")
      return openS3Target({ endpoint, region, bucket, accessKeyId, secretAccessKey }, prefix, s3)
    },

    /** The secret as it is stored. @throws TargetFault on a server without a key. */
    seal(projectId: number, secret: string): string {
      if (cipher === null) throw new TargetFault(NO_KEY)
      return cipher.encrypt(secret, toPurpose(projectId))
    },
  }
}

const NO_DIRECTORY = "This server has no folder for exports. Whoever runs it has to set EXPORT_DIR."
const NO_KEY = "This server has no key to keep the secret with. Whoever runs it has to set FLAG_PAYLOAD_KEYS."
const NO_FITTING_KEY =
  "The secret was encrypted with a key that this server does not have (FLAG_PAYLOAD_KEYS). Enter it again."
