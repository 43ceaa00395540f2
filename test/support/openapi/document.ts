export type Schema = Readonly<Record<string, unknown>>

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema }
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly schema: Schema
}

export interface OperationObject {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
