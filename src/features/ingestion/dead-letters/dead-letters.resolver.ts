import { Arg, ID, Int, Mutation, Query, Resolver } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { ProjectScope } from "../../access/index.js"
import type { DeadLetterStore } from "./dead-letter.store.js"
import { DeadLetterPageType } from "./dead-letters.graphql.js"

const MAX_LETTERS = 100
const IDS_DESCRIPTION = `Numbers of letters, at most ${MAX_LETTERS}; those that there are not are passed over.`

/** GraphQL operations on dead letters (`docs/contract/faults.md#dead-letters`). */
@Resolver()
export class DeadLettersResolver {
  constructor(private readonly store: DeadLetterStore) {}

  @Query(() => DeadLetterPageType, { description: "What was accepted and could not be stored, newest first." })
  async deadLetters(
    @ProjectScope("ingestion_warning:read") projectId: ProjectId,
    @Arg("first", () => Int, { defaultValue: 50, description: `How many, 1 to ${MAX_LETTERS}.` }) first: number,
    @Arg("before", () => ID, { nullable: true, description: "Only letters older than this one." })
    before: string | undefined,
  ): Promise<DeadLetterPageType> {
    if (first < 1 || first > MAX_LETTERS) throw refuse("first", `first must be between 1 and ${MAX_LETTERS}.`)
    if (before != null) checkId("before", before)
    const found = await this.store.list(projectId, before ?? null, first + 1)
    const nodes = found.slice(0, first)
    return { nodes, hasNextPage: found.length > first, endCursor: nodes.at(-1)?.id ?? null }
  }

  @Query(() => String, {
    nullable: true,
    description: "Text of one dead letter, at most its first 100,000 characters; null when there is no such letter.",
  })
  deadLetterText(
    @ProjectScope("query:read") projectId: ProjectId,
    @Arg("id", () => ID, { description: "Number of the letter." }) id: string,
  ): Promise<string | null> {
    checkId("id", id)
    return this.store.findText(projectId, id)
  }

  @Mutation(() => [ID], {
    description: "Has letters processed once more, each exactly once; answers those that are waiting now.",
  })
  retryDeadLetters(
    @ProjectScope("ingestion_warning:write") projectId: ProjectId,
    @Arg("ids", () => [ID], { description: IDS_DESCRIPTION }) ids: string[],
  ): Promise<string[]> {
    return this.store.retry(projectId, checkIds(ids))
  }

  @Mutation(() => [ID], { description: "Removes letters for good; answers those that there were." })
  deleteDeadLetters(
    @ProjectScope("ingestion_warning:write") projectId: ProjectId,
    @Arg("ids", () => [ID], { description: IDS_DESCRIPTION }) ids: string[],
  ): Promise<string[]> {
    return this.store.remove(projectId, checkIds(ids))
  }
}

function checkIds(ids: string[]): string[] {
  if (ids.length > MAX_LETTERS) throw refuse("ids", `ids must have at most ${MAX_LETTERS} numbers.`)
  for (const id of ids) checkId("ids", id)
  return ids
}

/** Fits a 64-bit integer. */
function checkId(attr: string, id: string): void {
  if (!/^\d{1,18}$/.test(id)) throw refuse(attr, `${attr} must be the number of a dead letter.`)
}

const refuse = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
