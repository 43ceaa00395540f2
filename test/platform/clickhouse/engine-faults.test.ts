import { describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { toEngineFault } from "../../../src/platform/clickhouse/engine-fault.js"
import { toEngineException } from "../../../src/platform/embedded/clickhouse-child/engine-exception.js"

describe("an error answer of a server", () => {
  test.each([
    [
      "Code: 62. DB::Exception: Syntax error: failed at position 1. (SYNTAX_ERROR) (version 26.7.2.1)\n",
      { engineCode: 62, engineName: "SYNTAX_ERROR", message: "Syntax error: failed at position 1" },
    ],
    [
      "Code: 47. DB::Exception: Unknown identifier (EVENT) in scope SELECT count(EVENT). (UNKNOWN_IDENTIFIER) (version 25.3.1.1 (official build))",
      {
        engineCode: 47,
        engineName: "UNKNOWN_IDENTIFIER",
        message: "Unknown identifier (EVENT) in scope SELECT count(EVENT)",
      },
    ],
    [
      "Code: 57. DB::Exception: There was an error on [host:9000]: Code: 57. DB::Exception: Table t exists. (TABLE_ALREADY_EXISTS) (version 24.1.1.1 (official build)). (TABLE_ALREADY_EXISTS) (version 24.1.1.1 (official build))",
      { engineCode: 57, engineName: "TABLE_ALREADY_EXISTS", message: "Table t exists" },
    ],
    [
      "Code: 60. DB::Exception: Received from host:9000. DB::Exception: No table. Stack trace:\n\n0. a @ 0x1\n1. b. (UNKNOWN_TABLE) (version 24.1.1.1 (official build))",
      { engineCode: 60, engineName: "UNKNOWN_TABLE", message: "No table" },
    ],
    [
      "Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: Field value too long (version 25.4.1.2283 (official build))",
      { engineCode: 1000, engineName: "POCO_EXCEPTION", message: "HTML Form Exception: Field value too long" },
    ],
    [
      "Code: 1000. DB::Exception: no name given",
      { engineCode: 1000, engineName: "UNKNOWN_EXCEPTION", message: "no name given" },
    ],
  ])("is read as code, name and sentence: %p", (answer, expected) => {
    expect(toEngineFault(500, answer)).toMatchObject(expected)
  })

  test.each([
    [503, "<html>Bad gateway</html>"],
    [500, ""],
    [
      500,
      "Poco::Exception. Code: 1000, e.code() = 104, Connection reset by peer (version 25.4.1.2283 (official build))",
    ],
    [500, "Code: 252. DB::Exception: Too many parts (300). (TOO_MANY_PARTS) (version 26.7.2.1)"],
    [500, "Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)"],
    [
      500,
      "Code: 285. DB::Exception: Number of alive replicas (1) is less than requested quorum (2/3). (TOO_FEW_LIVE_REPLICAS)",
    ],
  ])("with which it cannot serve now is store_unavailable: %p %p", (status, answer) => {
    const fault = toEngineFault(status, answer)
    expect(fault).toBeInstanceOf(AppError)
    expect(fault).toMatchObject({ code: "store_unavailable", details: { retryAfterSeconds: 2 } })
  })
})

describe("an error of the embedded engine", () => {
  test.each([
    ["Code: 60. DB::Exception: No table. (UNKNOWN_TABLE)", "Code: 60. DB::Exception: No table. (UNKNOWN_TABLE)", 404],
    [
      "Code: 164. DB::Exception: Code: 164. DB::Exception: Cannot modify 'a' setting in readonly mode. (READONLY) (version 26.7.2.1). (READONLY)",
      "Code: 164. DB::Exception: Cannot modify 'a' setting in readonly mode. (READONLY)",
      500,
    ],
    ["something else", "Code: 1002. DB::Exception: something else (UNKNOWN_EXCEPTION)", 500],
  ])("is told in the form of a server: %p", (thrown, message, httpStatus) => {
    expect(toEngineException(new Error(thrown))).toMatchObject({ message, httpStatus })
  })
})
