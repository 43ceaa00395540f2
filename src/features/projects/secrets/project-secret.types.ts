/** A secret key of a project as it may be shown. */
export interface ProjectSecret {
  readonly id: string
  /** First and last four characters of the value. */
  readonly maskedValue: string
  readonly createdAt: Date
}

/** A key together with its value, which is not stored anywhere. */
export interface IssuedProjectSecret extends ProjectSecret {
  readonly value: string
}
