import { graphql } from "../../graph/graphql"

export const START_TOTP = graphql(`
  mutation StartTotp($currentPassword: String!) {
    startTotp(input: { currentPassword: $currentPassword }) {
      enrolment {
        secret
        uri
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const CONFIRM_TOTP = graphql(`
  mutation ConfirmTotp($code: String!) {
    confirmTotp(input: { code: $code }) {
      recoveryCodes
      userErrors {
        field
        message
      }
    }
  }
`)

export const REMOVE_TOTP = graphql(`
  mutation RemoveTotp($code: String!) {
    removeTotp(input: { code: $code }) {
      secondFactor {
        confirmedAt
      }
      userErrors {
        field
        message
      }
    }
  }
`)
