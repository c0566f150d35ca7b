import { Button } from '@arco-design/web-react'
import { useSchoolChoice } from './schoolChoice'
import './figures.css'

interface SchoolBar {
  schoolId: number
  schoolName: string
  whole: number
  /** Of the whole. */
  part: number
  /** As they are written, one for each heading. */
  figures: readonly string[]
}

interface SchoolBarsProps {
  caption: string
  /** What the bars are: 报名，其中录取. */
  bars: string
  heads: readonly string[]
  rows: readonly SchoolBar[]
}

/**
 * Figures of schools beside each other; a school's name chooses it. The bar is drawn beside figures, so that nothing is
 * told by length alone.
 */
export const SchoolBars = ({ caption, bars, heads, rows }: SchoolBarsProps) => {
  const choice = useSchoolChoice()
  const most = Math.max(1, ...rows.map(({ whole }) => whole))
  const share = (value: number) => ({ width: `${(value * 100) / most}%` })
  return (
    <div className="school-bars">
      <table className="overview-bars">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">院校</th>
            <th scope="col">{bars}</th>
            {heads.map((head) => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ schoolId, schoolName, whole, part, figures }) => (
            <tr key={schoolId}>
              <th scope="row" title={schoolName}>
                <Button
                  type="text"
                  size="mini"
                  title="选定院校"
                  onClick={() => choice?.choose({ code: schoolId, desc: schoolName })}
                >
                  {schoolName}
                </Button>
              </th>
              <td className="bar school-bar">
                <span style={share(whole)} />
                <span style={share(part)} />
              </td>
              {figures.map((figure, at) => (
                <td key={heads[at]} className="number">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
