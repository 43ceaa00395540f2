import { useState } from "react"
import { type AnyVariables, type TypedDocumentNode, useMutation } from "urql"
import { describeFailure } from "./failure"

/** What is wrong with what was entered. */
interface Refusal {
  /** The field at fault, nested names joined with two underscores; null for all of them together. */
  readonly field: string | null
  readonly message: string
}

/** What a mutation answers besides the record. */
interface Payload {
  readonly userErrors: readonly Refusal[]
}

/** A change that a person makes, and what became of it. */
export interface Change<Data, Variables extends AnyVariables> {
  /** Makes it. The answer when it was made; null when it was not, and then `problem` says why. */
  change(variables: Variables): Promise<Data | null>
  readonly isChanging: boolean
  /** Why the last attempt came to nothing, in a sentence; null when it did not. */
  readonly problem: string | null
  /** The same, where the field at fault is known and a form can say it there. */
  readonly refusal: Refusal | null
}

/** Makes changes by a mutation, whose payload `toPayload` finds in the answer. */
export function useChange<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  toPayload: (data: Data) => Payload | null | undefined,
): Change<Data, Variables> {
  const [{ fetching }, mutate] = useMutation(mutation)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const change = async (variables: Variables): Promise<Data | null> => {
    const { data, error } = await mutate(variables)
    const [refused = null] = data === undefined ? [] : (toPayload(data)?.userErrors ?? [])
    const found = error === undefined ? describeRefusal(refused) : describeFailure(error).title
    setRefusal(refused)
    setProblem(found)
    return found === null ? (data ?? null) : null
  }
  return { change, isChanging: fetching, problem, refusal }
}

function describeRefusal(refusal: Refusal | null): string | null {
  if (refusal === null) return null
  return refusal.field === null ? refusal.message : `${refusal.field}: ${refusal.message}`
}
