import { connect } from "../../platform/postgres/connect.js"
export const service = connect
