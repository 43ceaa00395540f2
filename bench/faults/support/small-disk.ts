import { execFileSync } from "node:child_process"
import { statfsSync } from "node:fs"
import { temporaryDirectory } from "../../../test/support/waymark-process.js"

const MIB = 1024 * 1024

/** A file system in memory of so many megabytes. To mount one takes root. */
export class SmallDisk {
  private readonly directory = temporaryDirectory()

  constructor(megabytes: number) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "waymark-small-disk", this.path])
  }

  get path(): string {
    return this.directory.path
  }

  /** Megabytes that may still be written. */
  get freeMegabytes(): number {
    const { bavail, bsize } = statfsSync(this.path)
    return Math.floor((bavail * bsize) / MIB)
  }

  /** Somebody makes room: it has so many megabytes from now on. */
  enlarge(megabytes: number): void {
    execFileSync("mount", ["-o", `remount,size=${megabytes}m`, this.path])
  }

  remove(): void {
    execFileSync("umount", ["--lazy", this.path])
    this.directory.remove()
  }
}
