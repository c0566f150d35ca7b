import { Button } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  type ChartData,
  type ChartPoint,
  isOfDays,
  isOfShares,
  namesOf,
  optionOf,
  pointAt,
  shareOf,
  sharesOf,
  valueAt,
} from './chartOption'
import { savePicture } from './chartPicture'
import { formatNumber } from './format'
import { useThemeColours } from './themeColours'
import { WhenSeen } from './WhenSeen'

const ROW_PX = 26
const LINE_PX = 220
const PIE_PX = 180
const SHARE_PX = 40
/** Of a bar that has others beside it, and of the words that tell them apart. */
const BESIDE_PX = 14
const LEGEND_PX = 32

const heightOf = (data: ChartData) => {
  const { kind, series, stacked } = data
  if (kind === 'line') return LINE_PX
  if (kind === 'pie') return PIE_PX
  if (kind === 'share') return SHARE_PX
  const beside = stacked ? 1 : series.length
  const row = Math.max(ROW_PX, BESIDE_PX * beside)
  return 24 + (series.length > 1 ? LEGEND_PX : 0) + row * Math.max(1, namesOf(data).length)
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
  const ofShares = isOfShares(data)
  const several = !ofShares && (data.kind === 'line' || data.series.length > 1)
  const pointOf = (name: string, at: number): ChartPoint => data.series[0]?.points[at] ?? { name, value: 0 }
  const points = ofShares ? sharesOf(data) : namesOf(data).map((name, at) => ({ ...pointOf(name, at), name }))
  const whole = data.whole ?? points.reduce((sum, { value }) => sum + value, 0)
  const { palette } = useThemeColours()
  return (
    <div className={hidden ? 'unseen' : 'chart-rows'}>
      <table>
        <caption className="unseen">{data.title}</caption>
        <thead className={ofShares ? 'unseen' : undefined}>
          <tr>
            <th scope="col">{data.kind === 'line' && isOfDays(data) ? '日期' : '名称'}</th>
            {several ? (
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
              {several ? (
                data.series.map((each) => (
                  <td key={each.name} className="number">
                    {formatNumber(valueAt(each, point.name, at))}
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
  const box = useRef<HTMLDivElement>(null)
  const { ground } = useThemeColours()
  // Shares say little without their words.
  const always = isOfShares(data)
  return (
    <div ref={box} className={data.kind === 'pie' ? 'chart chart-beside' : 'chart'}>
      <span className="chart-turn">
        {!rows && (
          <Button size="mini" type="text" onClick={() => box.current && savePicture(box.current, data.title, ground)}>
            下载图片
          </Button>
        )}
        {!always && (
          <Button size="mini" type="text" onClick={() => setRows(!rows)}>
            {rows ? '查看图表' : '查看数据'}
          </Button>
        )}
      </span>
      {!rows && (
        <WhenSeen>
          <Canvas data={data} />
        </WhenSeen>
      )}
      <Rows data={data} hidden={!rows && !always} />
    </div>
  )
}
