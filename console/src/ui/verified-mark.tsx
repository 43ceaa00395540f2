import { Icon } from "./icon"

/** Says of a name that somebody has checked that it is sent as described. */
export const VerifiedMark = () => (
  <span className="verified" role="img" aria-label="verified" title="Verified">
    <Icon name="check" size={14} />
  </span>
)
