import { useState } from "react"
import { type AnyVariables, type TypedDocumentNode, useMutation } from "urql"
import { findRefusal, type Payload } from "./refusal"

/** A change that a person makes, and what became of it. */
export interface Change<Data, Variables extends AnyVariables> {
  /** Makes it. The answer when it was made; null when it was not, and then `problem` says why. */
  change(variables: Variables): Promise<Data | null>
  readonly isChanging: boolean
  /** Why the last attempt came to nothing, in a sentence; null when it did not. */
  readonly problem: string | null
}

/** Makes changes by a mutation, whose payload `toPayload` finds in the answer. */
export function useChange<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  toPayload: (data: Data) => Payload | null | undefined,
): Change<Data, Variables> {
  const [{ fetching }, mutate] = useMutation(mutation)
  const [problem, setProblem] = useState<string | null>(null)
  const change = async (variables: Variables): Promise<Data | null> => {
    const { data, error } = await mutate(variables)
    const refusal = findRefusal(error, data === undefined ? null : toPayload(data))
    setProblem(refusal)
    return refusal === null ? (data ?? null) : null
  }
  return { change, isChanging: fetching, problem }
}
