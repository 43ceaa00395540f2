import { expect, test } from "@jest/globals"
import type { Page } from "playwright-core"
import { type ConsolePages, findBarriers, OWNER, type View } from "../../support/console-pages.js"

/** Signing in and out, invitations and links; the first owner was made by theirs before. */
export function testSession({ api, open }: ConsolePages): void {
  const anonymous: View = { isAnonymous: true }
  const type = async (page: Page, values: Readonly<Record<string, string>>, button: string): Promise<void> => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole("button", { name: button }).click()
  }
  const signOut = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to Waymark" }).waitFor()
  }
  const pathOf = (link: string): string => link.slice(api.url.length)
  const invite = async (email: string): Promise<{ link: string; userId: string }> => {
    const { inviteUser } = await api.changed<{ inviteUser: { invitationLink: string; user: { id: string } } }>(
      `mutation ($email: String!) {
        inviteUser(input: { email: $email, byLink: true }) { invited { invitationLink user { id } } userErrors { message } } }`,
      { email },
    )
    return { link: pathOf(inviteUser.invitationLink), userId: inviteUser.user.id }
  }

  test("whoever is not signed in is asked who they are, then sees the page that they wanted, and leaves again", async () => {
    const page = await open("/project/@current/events?event=paid", anonymous)
    await type(page, { "E-mail": OWNER.email, Password: "not this one" }, "Sign in")
    await page.getByRole("alert").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await type(page, { Password: OWNER.password }, "Sign in")
    await page.getByRole("cell", { name: "paid" }).waitFor()
    expect(new URL(page.url()).search).toBe("?event=paid")
    expect(await page.evaluate("document.cookie + JSON.stringify([localStorage, sessionStorage])")).not.toMatch(/pht_/)
    await signOut(page)
    await page.reload()
    await page.getByRole("heading", { name: "Sign in to Waymark" }).waitFor()
    await page.close()
  })

  test("a page that was wanted is never one of another site", async () => {
    const page = await open("/sign-in?next=//evil.test/", anonymous)
    await type(page, { "E-mail": OWNER.email, Password: OWNER.password }, "Sign in")
    await page.getByRole("heading", { name: "Events" }).waitFor()
    expect(page.url().startsWith(`${api.url}/project/`)).toBe(true)
    await page.close()
  })

  test("an invitation is accepted with a name and a password, and what it opened closes with the membership", async () => {
    const { link, userId } = await invite("grace@example.test")
    const page = await open(link, { ...anonymous, theme: "dark" })
    await type(page, { Name: "Grace Hopper", Password: "short" }, "Join")
    await page.getByText("A password has at least 10 characters.").waitFor()
    expect(await findBarriers(page)).toEqual([])
    await type(page, { Password: "nanoseconds of wire" }, "Join")
    await page.getByRole("heading", { name: "Events" }).waitFor()
    const { me } = await api.graphql<{ me: { organizations: { uuid: string }[] } }>("{ me { organizations { uuid } } }")
    await api.changed(
      `mutation ($organizationId: ID!, $userId: ID!) {
        removeOrganizationMember(input: { organizationId: $organizationId, userId: $userId }) {
          removedUserNumber userErrors { message } } }`,
      { organizationId: me.organizations[0]?.uuid, userId },
    )
    await page.reload()
    await page.getByRole("heading", { name: "There is no such project" }).waitFor()
    await page.close()
  })

  test("somebody comes in by the button of a provider", async () => {
    const page = await open("/sign-in", { ...anonymous, mayLeave: true })
    await page.getByRole("link", { name: "Sign in with Example" }).click()
    await page.locator("input[name=login]").fill("barbara@example.test")
    await page.locator("input[name=password]").fill("the provider asks for none")
    await page.locator("button[type=submit]").click()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("heading", { name: "Events" }).waitFor()
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByText("barbara@example.test").waitFor()
    await page.close()
  })

  test("a link for another password takes one and signs in", async () => {
    const { link, userId } = await invite("linus@example.test")
    const page = await open(link, anonymous)
    await type(page, { Name: "Linus", Password: "something to forget" }, "Join")
    await page.getByRole("heading", { name: "Events" }).waitFor()
    const { createPasswordResetLink } = await api.changed<{ createPasswordResetLink: { url: string } }>(
      `mutation ($userId: ID!) {
        createPasswordResetLink(input: { userId: $userId }) { link { url } userErrors { message } } }`,
      { userId },
    )
    await page.goto(createPasswordResetLink.url)
    await type(page, { Password: "something to remember" }, "Save and sign in")
    await page.getByRole("heading", { name: "Events" }).waitFor()
    await page.goto(createPasswordResetLink.url)
    await type(page, { Password: "something to remember" }, "Save and sign in")
    await page.getByText("This link is not good any more.").waitFor()
    await page.close()
  })
}
