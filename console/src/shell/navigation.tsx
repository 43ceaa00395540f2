import { NavLink, Text } from "@mantine/core"
import { Link, useParams } from "@tanstack/react-router"
import { Icon } from "../ui/icon"
import { PLACES } from "./places"

/** Links to the screens of the project; the one that is shown is marked. */
export function Navigation({ onChosen }: { readonly onChosen: () => void }) {
  const { project } = useParams({ from: "/project/$project" })
  return PLACES.map(({ heading, places }) => (
    <section key={heading} aria-label={heading}>
      <Text className="heading" size="xs" c="dimmed">
        {heading}
      </Text>
      {places.map(({ title, icon, to }) => (
        <NavLink
          key={to}
          label={title}
          leftSection={<Icon name={icon} />}
          renderRoot={(props) => (
            <Link {...props} to={to} params={{ project }} activeProps={{ "data-active": true }} onClick={onChosen} />
          )}
        />
      ))}
    </section>
  ))
}
