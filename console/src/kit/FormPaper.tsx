import type { ReactNode } from 'react'
import './formPaper.css'

/** What the 登记表 of persons are made of: five columns of A4 upright, the last for the photo. */

export const DAY = 'YYYY年MM月DD日'
export const NO_DAY = '＿＿＿＿年＿＿月＿＿日'
export const LINE = '＿＿＿＿＿＿＿＿'

export const Columns = () => (
  <colgroup>
    <col style={{ width: '14%' }} />
    <col style={{ width: '26%' }} />
    <col style={{ width: '14%' }} />
    <col style={{ width: '26%' }} />
    <col style={{ width: '20%' }} />
  </colgroup>
)

export const Part = ({ title, span = 5 }: { title: string; span?: number }) => (
  <tr>
    <th className="form-part" colSpan={span} scope="colgroup">
      {title}
    </th>
  </tr>
)

type Facts = readonly [label: string, value: ReactNode, label: string, value: ReactNode]

/** Two facts beside each other; the second reaches to the edge. */
export const Pair = ({ facts }: { facts: Facts }) => (
  <tr>
    <th scope="row">{facts[0]}</th>
    <td>{facts[1]}</td>
    <th scope="row">{facts[2]}</th>
    <td colSpan={2}>{facts[3]}</td>
  </tr>
)

export const Wide = ({ label, children }: { label: string; children: ReactNode }) => (
  <tr>
    <th scope="row">{label}</th>
    <td colSpan={4}>{children}</td>
  </tr>
)

interface ResumeLine {
  from: string
  to?: string | null
  unit: string
  duty?: string | null
  witness?: string | null
}

/** 2019-09 至 2023-07, or 至今. */
export const spanOf = ({ from, to }: Pick<ResumeLine, 'from' | 'to'>) => `${from} 至 ${to ?? '今'}`

/** 简历 with room for what is written by hand. */
export const ResumeRows = ({ lines, least }: { lines: readonly ResumeLine[]; least: number }) => {
  const empty = Array.from({ length: Math.max(0, least - lines.length) }, (_, at) => at)
  return (
    <>
      <tr>
        <th scope="col">起止年月</th>
        <th scope="col" colSpan={2}>
          学校或单位
        </th>
        <th scope="col">职务</th>
        <th scope="col">证明人</th>
      </tr>
      {lines.map((line) => (
        <tr key={`${line.from}${line.unit}`}>
          <td>{spanOf(line)}</td>
          <td colSpan={2}>{line.unit}</td>
          <td>{line.duty}</td>
          <td>{line.witness}</td>
        </tr>
      ))}
      {empty.map((at) => (
        <tr key={at}>
          <td />
          <td colSpan={2} />
          <td />
          <td />
        </tr>
      ))}
    </>
  )
}
