import { Choice } from "./choice"
import type { RetentionCohort } from "./drawable"
import { writeNumber } from "./numbers"

interface RetentionTableProps {
  readonly cohorts: readonly RetentionCohort[]
  /** Makes buttons of the numbers of people at the beginning of each row. */
  readonly onCohort?: (at: number) => void
}

/** A row for each beginning, a cell for each interval after it, darker where more people came back. */
export function RetentionTable({ cohorts, onCohort }: RetentionTableProps) {
  const widest = cohorts.reduce<RetentionCohort["values"]>(
    (longest, { values }) => (values.length > longest.length ? values : longest),
    [],
  )
  const heads = widest.map(({ label }, at) => label ?? String(at))
  return (
    <figure>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">People</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ date, label, values }, cohort) => {
            const first = values[0]?.count ?? 0
            return (
              <tr key={cohort}>
                <th scope="row">{date?.slice(0, 10) ?? label}</th>
                <td className="number">
                  <Choice text={writeNumber(first)} onClick={onCohort && (() => onCohort(cohort))} />
                </td>
                {values.map(({ count }, at) => {
                  const share = first === 0 ? 0 : count / first
                  const heat = { "--heat": `${share * 75}%` } as React.CSSProperties
                  return (
                    <td key={heads[at]} className="heat" title={`${writeNumber(count)} people`} style={heat}>
                      {`${writeNumber(share * 100)} %`}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </figure>
  )
}
