import { Button } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type ChartData, type ChartPoint, isOfShares, optionOf, pointAt, shareOf, sharesOf } from './chartOption'
import { formatNumber } from './format'
import { useThemeColours } from './themeColours'
import { WhenSeen } from './WhenSeen'

const ROW_PX = 26
const LINE_PX = 220
const PIE_PX = 180
const SHARE_PX = 40

const heightOf = ({ kind, series }: ChartData) => {
  if (kind === 'line') return LINE_PX
  if (kind === 'pie') return PIE_PX
  return kind === 'share' ? SHARE_PX : 24 + ROW_PX * Math.max(1, series[0]?.points.length ?? 0)
}

/** The picture; whoever reads by ear has the table. */
const Canvas = ({ data }: { data: ChartData }) => {
  const box = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const colours = useThemeColours()
  useEffect(() => {
    let clear: (() => void) | undefined
    let gone = false
    import('./chartCanvas').then(({ draw }) => {
      if (gone || !box.current) return
      clear = draw(box.current, optionOf(data, colours), (at) => {
        const link = pointAt(data, at)?.link
        if (link) navigate(link)
      })
    })
    return () => {
      gone = true
      clear?.()
    }
  }, [data, colours, navigate])
  return <div ref={box} className="chart-canvas" style={{ height: heightOf(data) }} aria-hidden="true" />
}

const Name = ({ point }: { point: ChartPoint }) =>
  point.link ? (
    <Link className="overview-link" to={point.link}>
      {point.name}
    </Link>
  ) : (
    point.name
  )

/** The figures themselves, each leading to its list. */
const Rows = ({ data, hidden }: { data: ChartData; hidden: boolean }) => {
  const isLine = data.kind === 'line'
  const ofShares = isOfShares(data)
  const points = ofShares ? sharesOf(data) : (data.series[0]?.points ?? [])
  const whole = data.whole ?? points.reduce((sum, { value }) => sum + value, 0)
  const { palette } = useThemeColours()
  return (
    <div className={hidden ? 'unseen' : 'chart-rows'}>
      <table>
        <caption className="unseen">{data.title}</caption>
        <thead className={ofShares ? 'unseen' : undefined}>
          <tr>
            <th scope="col">{isLine ? '日期' : '名称'}</th>
            {isLine ? (
              data.series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))
            ) : (
              <th scope="col">{data.unit}</th>
            )}
            {ofShares && <th scope="col">占比</th>}
          </tr>
        </thead>
        <tbody>
          {points.map((point, at) => (
            <tr key={point.name}>
              <th scope="row">
                {ofShares && (
                  <i
                    className="chart-key"
                    style={{
                      background: at < (data.series[0]?.points.length ?? 0) ? palette[at % palette.length] : undefined,
                    }}
                  />
                )}
                <Name point={point} />
              </th>
              {isLine ? (
                data.series.map(({ name, points: own }) => (
                  <td key={name} className="number">
                    {formatNumber(own[at]?.value)}
                  </td>
                ))
              ) : (
                <td className="number">{formatNumber(point.value)}</td>
              )}
              {ofShares && <td className="number">{shareOf(point.value, whole)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A chart with its figures: drawn when it is seen, and always there as a table for those who read by ear. */
export const Chart = ({ data }: { data: ChartData }) => {
  const [rows, setRows] = useState(false)
  // Shares say little without their words.
  const always = isOfShares(data)
  return (
    <div className={data.kind === 'pie' ? 'chart chart-beside' : 'chart'}>
      {!always && (
        <Button className="chart-turn" size="mini" type="text" onClick={() => setRows(!rows)}>
          {rows ? '查看图表' : '查看数据'}
        </Button>
      )}
      {!rows && (
        <WhenSeen>
          <Canvas data={data} />
        </WhenSeen>
      )}
      <Rows data={data} hidden={!rows && !always} />
    </div>
  )
}
