import { graphql } from "../../graph/graphql"
import { RECORDING_ROW } from "../../tables/recording-columns"

const PLAYLIST_ROW = graphql(`
  fragment PlaylistRow on SessionRecordingPlaylist {
    id
    shortId
    name
    derivedName
    type
    pinned
    lastModifiedAt
    createdBy {
      id
      email
    }
    recordingsCounts {
      collection {
        count
        watchedCount
      }
      savedFilters {
        count
        hasMore
        watchedCount
      }
    }
  }
`)

/** The pinned ones first. */
export const PLAYLISTS = graphql(
  `
  query Playlists($projectId: ID!, $filter: SessionRecordingPlaylistFilter, $first: Int!, $after: String) {
    sessionRecordingPlaylists(
      projectId: $projectId
      filter: $filter
      first: $first
      after: $after
      orderBy: PINNED
      descending: true
    ) {
      nodes {
        ...PlaylistRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`,
  PLAYLIST_ROW,
)

export const PLAYLIST = graphql(
  `
  query Playlist($projectId: ID!, $shortId: ID!) {
    sessionRecordingPlaylist(projectId: $projectId, by: { shortId: $shortId }) {
      ...PlaylistRow
      description
      filters {
        raw
      }
    }
  }
`,
  PLAYLIST_ROW,
)

export const COLLECTED = graphql(
  `
  query Collected($projectId: ID!, $shortId: ID!, $first: Int!, $after: String) {
    sessionRecordingPlaylist(projectId: $projectId, by: { shortId: $shortId }) {
      id
      page: recordings(first: $first, after: $after) {
        nodes {
          ...RecordingRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`,
  RECORDING_ROW,
)

export const MATCHED = graphql(
  `
  query Matched($projectId: ID!, $shortId: ID!, $first: Int!, $after: String) {
    sessionRecordingPlaylist(projectId: $projectId, by: { shortId: $shortId }) {
      id
      page: matches(first: $first, after: $after) {
        nodes {
          ...RecordingRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`,
  RECORDING_ROW,
)

/** What the player leads on to. */
export const PLAYLIST_ORDER = graphql(`
  query PlaylistOrder($projectId: ID!, $shortId: ID!) {
    sessionRecordingPlaylist(projectId: $projectId, by: { shortId: $shortId }) {
      id
      shortId
      name
      derivedName
      recordings(first: 200) {
        nodes {
          id
          sessionId
        }
      }
      matches(first: 200) {
        nodes {
          id
          sessionId
        }
      }
    }
  }
`)

export const COLLECTIONS = graphql(`
  query Collections($projectId: ID!) {
    sessionRecordingPlaylists(projectId: $projectId, filter: { type: COLLECTION }, first: 200) {
      nodes {
        id
        shortId
        name
        derivedName
      }
    }
  }
`)

export const CREATE_PLAYLIST = graphql(`
  mutation CreatePlaylist($input: CreateSessionRecordingPlaylistInput!) {
    createSessionRecordingPlaylist(input: $input) {
      sessionRecordingPlaylist {
        id
        shortId
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const UPDATE_PLAYLIST = graphql(
  `
  mutation UpdatePlaylist($input: UpdateSessionRecordingPlaylistInput!) {
    updateSessionRecordingPlaylist(input: $input) {
      sessionRecordingPlaylist {
        ...PlaylistRow
        description
      }
      userErrors {
        field
        message
      }
    }
  }
`,
  PLAYLIST_ROW,
)

export const ATTACH = graphql(`
  mutation AttachRecording($input: AttachSessionRecordingInput!) {
    attachSessionRecording(input: $input) {
      sessionRecordingPlaylist {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)

export const DETACH = graphql(`
  mutation DetachRecording($input: DetachSessionRecordingInput!) {
    detachSessionRecording(input: $input) {
      sessionRecordingPlaylist {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`)
