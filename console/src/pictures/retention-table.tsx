import type { RetentionCohort } from "./drawable"
import { writeNumber } from "./numbers"

/** A row for each beginning, a cell for each interval after it, darker where more people came back. */
export function RetentionTable({ cohorts }: { readonly cohorts: readonly RetentionCohort[] }) {
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
          {cohorts.map(({ date, label, values }) => {
            const first = values[0]?.count ?? 0
            return (
              <tr key={date ?? label}>
                <th scope="row">{date?.slice(0, 10) ?? label}</th>
                <td className="number">{writeNumber(first)}</td>
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
