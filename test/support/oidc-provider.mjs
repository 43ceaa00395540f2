/**
 * A provider of OpenID Connect on a free port of this machine, which prints its address. Whoever signs in there is who they say;
 * an address that begins with `unverified` is not verified.
 */
import { createServer } from "node:http"
import Provider from "oidc-provider"

const server = createServer()
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "waymark",
        client_secret: "the secret of waymark at its provider",
        redirect_uris: ["https://waymark.test/auth/oidc/callback"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified"), name: `Name of ${id}` }),
    }),
  })
  // The server under test chooses its port when it starts.
  provider.Client.prototype.redirectUriAllowed = (url) => new URL(url).pathname === "/auth/oidc/callback"
  server.on("request", provider.callback())
  process.stdout.write(`${issuer}\n`)
})
