/** A JSON Schema of the document. */
export type Schema = Readonly<Record<string, unknown>>

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema }
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly schema: Schema
}

/** One method of a path. */
export interface OperationObject {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** As much of an OpenAPI 3.1 document as the tests read. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
