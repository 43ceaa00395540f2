import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core"
import { Icon } from "../ui/icon"

/** Changes between the light and the dark theme; until it is used, the system's counts. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme("light") === "light" ? "dark" : "light"
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Use the ${other} theme`}
      onClick={() => setColorScheme(other)}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </ActionIcon>
  )
}
