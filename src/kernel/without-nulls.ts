/** The fields of an input that have a value: in GraphQL null may stand wherever a field may be absent. */
export const withoutNulls = <Input extends object>(input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as Input
