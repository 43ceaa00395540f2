import { Button } from "@mantine/core"

interface MoreButtonProps {
  readonly isLoading: boolean
  readonly onClick: () => void
}

/** Below a list that goes on: asks for more of it. */
export const MoreButton = ({ isLoading, onClick }: MoreButtonProps) => (
  <Button variant="default" style={{ alignSelf: "flex-start" }} loading={isLoading} onClick={onClick}>
    More
  </Button>
)
