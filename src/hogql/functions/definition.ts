import type { TypeName } from "../sql/sql.js"

/** One allowed function or aggregate. Whatever is not in these tables never reaches the engine. */
export interface FunctionDefinition {
  readonly name: string
  /** Name in the engine. */
  readonly engine: string
  readonly minArgs: number
  readonly maxArgs: number
  /** `Same`: the type of the first argument. */
  readonly type: TypeName | "Same"
  /** Null even for arguments that are not; `never`: not null even for arguments that are. */
  readonly nulls: "inherit" | "always" | "never"
  readonly isAggregate: boolean
  /** Whether parameters in a first pair of brackets are needed, allowed, or wrong. */
  readonly parameters: "none" | "optional" | "required"
  /** Standard SQL names are understood in any case. */
  readonly anyCase: boolean
}

type Options = Partial<Pick<FunctionDefinition, "nulls" | "isAggregate" | "parameters" | "anyCase">>

/**
 * Reads lists of functions by the type that they give: `name:2` takes two arguments, `name:1-3` one to three, `name:1+` one
 * or more, and `name=engineName:1` is called `engineName` in the engine.
 */
export function define(
  lists: Readonly<Partial<Record<FunctionDefinition["type"], string>>>,
  options: Options = {},
): FunctionDefinition[] {
  return (Object.keys(lists) as FunctionDefinition["type"][]).flatMap((type) =>
    (lists[type] ?? "").split(" ").map((entry) => ({ ...readEntry(entry), type, ...options })),
  )
}

function readEntry(entry: string) {
  const found = /^(\w+)(?:=(\w+))?:(\d+)(?:-(\d+)|(\+))?$/.exec(entry)
  if (found === null) throw new Error(`bad function entry: ${entry}`)
  const [, name = "", engine = name, min, max = min, more] = found
  const arity = { minArgs: Number(min), maxArgs: more ? 1000 : Number(max) }
  return { name, engine, ...arity, nulls: "inherit", isAggregate: false, parameters: "none", anyCase: false } as const
}
