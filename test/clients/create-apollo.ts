import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client"
import { relayStylePagination } from "@apollo/client/utilities"

/** @param url of the server, such as http://127.0.0.1:8000. */
export const createApollo = (url: string, key: string): ApolloClient =>
  new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers: { Authorization: `Bearer ${key}` } }),
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { persons: relayStylePagination(["filter"]) } } } }),
  })
