import { Button, Menu } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { Project } from "../project/project"
import { Icon } from "../ui/icon"

interface ProjectSwitcherProps {
  readonly current: Project
  readonly projects: readonly { readonly number: number; readonly name: string }[]
  readonly onChosen: () => void
}

/** The name of the project, with a menu of those that the caller may see. */
export function ProjectSwitcher({ current, projects, onChosen }: ProjectSwitcherProps) {
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          justify="space-between"
          fullWidth
          className="project"
          rightSection={<Icon name="chevron" size={16} />}
        >
          {current.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {projects.map(({ number, name }) => (
          <Menu.Item
            key={number}
            onClick={onChosen}
            renderRoot={(props) => <Link {...props} to="/project/$project" params={{ project: String(number) }} />}
            aria-current={String(number) === current.id}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
