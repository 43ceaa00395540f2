import { Button, Kbd } from "@mantine/core"
import { Spotlight, spotlight } from "@mantine/spotlight"
import { useNavigate, useParams } from "@tanstack/react-router"
import { Icon } from "../ui/icon"
import { PLACES } from "./places"

/** Opens the palette, for those who do not know its keys. */
export function PaletteButton() {
  return (
    <Button
      variant="default"
      className="palette-button"
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        <Kbd size="xs" visibleFrom="sm">
          Ctrl K
        </Kbd>
      }
      onClick={spotlight.open}
    >
      Go to…
    </Button>
  )
}

/** Every screen by its name, on Ctrl-K. */
export function Palette() {
  const { project } = useParams({ from: "/project/$project" })
  const navigate = useNavigate()
  const actions = PLACES.flatMap(({ heading, places }) =>
    places.map(({ title, icon, to }) => ({
      id: to,
      label: title,
      description: heading,
      leftSection: <Icon name={icon} />,
      onClick: () => void navigate({ to, params: { project } }),
    })),
  )
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      nothingFound="No screen has such a name."
      searchProps={{ placeholder: "Go to…", "aria-label": "Go to", leftSection: <Icon name="search" /> }}
    />
  )
}
