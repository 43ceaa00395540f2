import Sequencer from "@jest/test-sequencer"

/** Where the suites are that take minutes, longest first: in a browser, and over servers of their own. */
const LONG = ["/test/journeys/console/", "/test/pictures/", "/test/journeys/"]

/**
 * Orders suites so that none that takes minutes is left running alone at the end. A fresh clone knows no durations, and
 * the runner then goes by the size of files. A default export, because the runner looks for one.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONG.findIndex((folder) => path.includes(folder))
      return place < 0 ? LONG.length : place
    }
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other))
  }
}
