import { graphql } from "../../graph/graphql"

export const MEMBERS = graphql(`
  query Members($organization: ID!, $after: String, $first: Int!, $withInvitations: Boolean!) {
    organization(by: { uuid: $organization }) {
      id
      members(after: $after, first: $first) {
        totalCount
        nodes {
          role
          joinedAt
          user {
            id
            number
            email
            firstName
            lastName
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
      invitations @include(if: $withInvitations) {
        userNumber
        email
        role
        expiresAt
      }
    }
    me {
      id
      number
    }
  }
`)

export const INVITE = graphql(`
  mutation Invite($input: InviteUserInput!) {
    inviteUser(input: $input) {
      invited {
        invitationLink
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const CHANGE_ROLE = graphql(`
  mutation ChangeRole($input: UpdateOrganizationMemberInput!) {
    updateOrganizationMember(input: $input) {
      role
      userErrors {
        field
        message
      }
    }
  }
`)

export const REMOVE_MEMBER = graphql(`
  mutation RemoveMember($input: RemoveOrganizationMemberInput!) {
    removeOrganizationMember(input: $input) {
      removedUserNumber
      userErrors {
        field
        message
      }
    }
  }
`)

export const MAKE_RESET_LINK = graphql(`
  mutation MakeResetLink($userId: ID!) {
    createPasswordResetLink(input: { userId: $userId }) {
      link {
        url
      }
      userErrors {
        field
        message
      }
    }
  }
`)
