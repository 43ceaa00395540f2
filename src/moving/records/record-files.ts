import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../kernel/json.js"
import { StartupError } from "../../platform/embedded/startup-error.js"
import { RECORD_KINDS, type RecordKind } from "./record-kinds.js"
import type { RecordSource } from "./record-source.js"

/** Records in files, and which files these are. */
export interface RecordFiles {
  readonly source: RecordSource
  readonly paths: readonly string[]
}

const PROJECT_FOLDER = /^project-(\d+)$/

/**
 * Records of files `<kind>.json`, each a list of records as an export writes it, or an answer of a list of PostHog's REST
 * API as a whole. What belongs to a record is in it.
 * @param from the folder that they are in, or that of an export.
 * @param project which one of the export; needed where it has several.
 * @throws StartupError for a folder without any, and, when it is read, for a file that is no such list.
 */
export async function openRecordFiles(from: string, project: string | null): Promise<RecordFiles> {
  const folder = await findFolder(from, project)
  const there = await readdir(folder).catch((): string[] => [])
  const kinds = RECORD_KINDS.filter((kind) => there.includes(toFile(kind)))
  if (kinds.length === 0)
    throw new StartupError(`${folder} holds no records: a file is called ${toFile(RECORD_KINDS[0])} or the like.`)
  return {
    source: {
      list: async (kind) => (kinds.includes(kind) ? readList(join(folder, toFile(kind))) : []),
      complete: (_, record) => Promise.resolve(record),
    },
    paths: kinds.map((kind) => join(folder, toFile(kind))),
  }
}

async function findFolder(from: string, project: string | null): Promise<string> {
  const found = await readdir(from).catch((): string[] => [])
  const numbers = found.flatMap((name) => PROJECT_FOLDER.exec(name)?.[1] ?? [])
  const [number] = project === null ? numbers : [project]
  if (number === undefined) return from
  if (project === null && numbers.length > 1)
    throw new StartupError(`${from} holds projects ${numbers.join(", ")}. Name one: --source-project ${number}.`)
  return join(from, `project-${number}`, "records")
}

const toFile = (kind: RecordKind): string => `${kind}.json`

async function readList(path: string): Promise<JsonObject[]> {
  const content = parse(path, await readFile(path, "utf8"))
  if (isJsonObject(content) && typeof content.next === "string")
    throw new StartupError(`${path} is one page of a list, which goes on at ${content.next}. Ask for a larger page.`)
  const records = isJsonObject(content) ? content.results : content
  if (!Array.isArray(records) || !records.every(isJsonObject))
    throw new StartupError(`${path} is no list of records: write a JSON array of objects.`)
  return records
}

function parse(path: string, text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw new StartupError(`${path} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}
