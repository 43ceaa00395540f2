import { setMaxListeners } from "node:events"
import { createPubSub } from "@graphql-yoga/subscription"
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from "type-graphql"
import { AppError } from "../../../src/kernel/errors.js"
import { orderInMemory } from "../../../src/kernel/order-in-memory.js"
import { readPage } from "../../../src/kernel/read-page.js"
import type { RequestContext } from "../../../src/kernel/request-context.js"
import {
  type Connection,
  ConnectionArgs,
  createConnectionType,
  readConnection,
} from "../../../src/platform/graphql/connection.js"
import { JsonScalar } from "../../../src/platform/graphql/scalars.js"

const BY_ID = [{ property: "id", kind: "integer", isDescending: false }] as const

const eventTarget = new EventTarget()
setMaxListeners(0, eventTarget)
/** Events of the sample subscription; a test publishes, clients see it. */
export const sampleEvents = createPubSub<{ [topic: string]: [event: { complete: boolean }] }>({
  eventTarget: eventTarget as never,
})

@ObjectType("Person", { description: "A sample person." })
class PersonType {
  @Field(() => ID, { description: "Number of the person." })
  id!: number
  @Field(() => String, { description: "Display name." })
  name!: string
  @Field(() => [PersonType], { description: "Others met." })
  friends!: PersonType[]
}
const PersonConnection = createConnectionType("Person", () => PersonType)

@ObjectType("QueryStatus", { description: "A sample state." })
class StatusType {
  @Field(() => Boolean, { description: "Whether it ended." })
  complete!: boolean
  @Field(() => ID, { description: "Id of the request whose context served this event." })
  requestId!: string
}

@InputType("PlaylistInput", { description: "Sample input." })
class SampleInput {
  @Field(() => String, { nullable: true, description: "Name." })
  name?: string
  @Field(() => Boolean, { nullable: true, description: "Pinned." })
  pinned?: boolean
}

@ObjectType("Playlist", { description: "A sample playlist." })
class SamplePlaylistType {
  @Field(() => Int, { description: "Number." })
  id!: number
}

/** Operations whose names the hostile cases use, over data that needs no store. */
@Resolver()
export class SampleResolver {
  constructor(private readonly people: readonly { id: number; name: string; friends: [] }[]) {}

  @Query(() => PersonConnection, { description: "People." })
  persons(@Args(() => ConnectionArgs) args: ConnectionArgs): Promise<Connection<PersonType>> {
    return readConnection(args, ["persons"], (page) => readPage(orderInMemory(BY_ID, this.people), page))
  }

  @Query(() => PersonType, { description: "The first person." })
  firstPerson(): PersonType {
    return this.people[0] as PersonType
  }

  @Query(() => JsonScalar, { nullable: true, description: "Echoes a value." })
  f(@Arg("a", () => JsonScalar, { nullable: true }) a: unknown): unknown {
    return a ?? null
  }

  @Query(() => Int, { nullable: true, description: "Fails as asked." })
  fails(@Arg("how", () => String) how: string): number {
    if (how === "unauthenticated") throw new AppError("not_authenticated")
    if (how === "field") throw new AppError("invalid_input", { attr: "name", detail: "Not a valid string." })
    throw new Error("secret of the house")
  }

  @Extensions({ cost: 50 })
  @Query(() => Int, { description: "Dear by declaration." })
  analytics(): number {
    return 1
  }

  @Mutation(() => SamplePlaylistType, { description: "Creates." })
  createPlaylist(
    @Arg("input", () => SampleInput) _input: SampleInput,
    @Ctx() context: RequestContext,
  ): SamplePlaylistType {
    if (context.principal === null) throw new AppError("not_authenticated")
    return { id: 1 }
  }

  @Mutation(() => SamplePlaylistType, { description: "Changes." })
  updatePlaylist(
    @Arg("shortId", () => String) _id: string,
    @Arg("input", () => SampleInput) _input: SampleInput,
  ): SamplePlaylistType {
    throw new AppError("not_found")
  }

  @Subscription(() => StatusType, {
    description: "Follows a query.",
    subscribe: ({ args }: { args: { id: string } }) => {
      if (args.id === "unknown") throw new AppError("not_found", { detail: "Query unknown not found." })
      return sampleEvents.subscribe(args.id)
    },
  })
  queryStatus(
    @Arg("id", () => ID) _id: string,
    @Root() event: { complete: boolean },
    @Ctx() context: RequestContext,
  ): StatusType {
    return { complete: event.complete, requestId: context.requestId }
  }
}
