import { Arg, Args, ID, Int, Mutation, Query, Resolver } from "type-graphql"
import type { Principal } from "../../../kernel/request-context.js"
import { AnyKey, PrincipalScope } from "../scope.decorators.js"
import { CreatePersonalApiKeyArgs, IssuedPersonalApiKeyType, PersonalApiKeyType } from "./personal-key.graphql.js"
import type { IssuedKey, PersonalKey } from "./personal-key.types.js"
import type { PersonalKeysService } from "./personal-keys.service.js"

/** GraphQL operations on the caller's own keys. The calling key needs `personal_api_key` scopes or `*`. */
@Resolver(() => PersonalApiKeyType)
export class PersonalKeysResolver {
  constructor(private readonly keys: PersonalKeysService) {}

  @Query(() => [PersonalApiKeyType], {
    description: "The caller's live keys that reach no further than the calling one, oldest first.",
  })
  personalApiKeys(@PrincipalScope("personal_api_key:read") principal: Principal): Promise<PersonalKey[]> {
    return this.keys.list(principal)
  }

  @Query(() => PersonalApiKeyType, {
    description: "The calling key itself, without its value. Open to every valid key.",
  })
  currentPersonalApiKey(@AnyKey() principal: Principal): Promise<PersonalKey> {
    return this.keys.current(principal)
  }

  @Mutation(() => IssuedPersonalApiKeyType, { description: "Makes a key. A user has at most 10." })
  createPersonalApiKey(
    @PrincipalScope("personal_api_key:write") principal: Principal,
    @Args(() => CreatePersonalApiKeyArgs) request: CreatePersonalApiKeyArgs,
  ): Promise<IssuedKey> {
    return this.keys.create(principal, request)
  }

  @Mutation(() => IssuedPersonalApiKeyType, { description: "Gives a key a new value." })
  rollPersonalApiKey(
    @PrincipalScope("personal_api_key:write") principal: Principal,
    @Arg("id", () => ID, { description: "Id of the key." }) id: string,
    @Arg("overlapSeconds", () => Int, {
      defaultValue: 0,
      description: "For how many seconds the value before is still accepted, 0 to 604800.",
    })
    overlapSeconds: number,
  ): Promise<IssuedKey> {
    return this.keys.roll(principal, id, overlapSeconds)
  }

  @Mutation(() => PersonalApiKeyType, { description: "Ends a key; all its values are refused from now on." })
  revokePersonalApiKey(
    @PrincipalScope("personal_api_key:write") principal: Principal,
    @Arg("id", () => ID, { description: "Id of the key." }) id: string,
  ): Promise<PersonalKey> {
    return this.keys.revoke(principal, id)
  }
}
