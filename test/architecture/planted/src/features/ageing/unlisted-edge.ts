import { door } from "../playlists/index.js"
export const edge = door
