import { ActionIcon, Menu } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { signOut } from "../session/session"
import { Icon } from "../ui/icon"

/** Who is signed in, and the way out. */
export function AccountMenu({ email }: { readonly email: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Account">
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item
          renderRoot={(props) => (
            <Link {...props} from="/project/$project" to="/project/$project/settings" search={{ tab: "account" }} />
          )}
        >
          Your account
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
