export { AccountResolver } from "./account/account.resolver.js"
export { signInEntities } from "./sign-in.entity.js"
export { createSignInFeature } from "./sign-in.feature.js"
