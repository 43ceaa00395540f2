import { fixture } from "../../../test/fixture.js"
export const project = fixture
