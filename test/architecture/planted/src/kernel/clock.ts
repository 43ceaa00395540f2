import { connect } from "../platform/postgres/connect.js"
export const clock = connect
