import { edge } from "../capture/unlisted-edge.js"
export const unlisted = edge
