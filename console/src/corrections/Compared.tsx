import { Alert } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import { fieldOf, labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PaperFigure } from '@/kit/Papers'
import { type listCorrections, saveCorrection, viewCorrection } from './api'
import { useEvidenceKinds } from './evidence'
import './corrections.css'

type View = RowOf<typeof viewCorrection>
type Row = RowOf<typeof listCorrections>
type Fields = Row['after']
type Name = keyof Fields & string
type Side = 'before' | 'after'

/** The key fields of a person, in the order in which they are read. */
const names: readonly Name[] = ['name', 'gender', 'birthday', 'ethnicity', 'idCardType', 'idCardNo', 'examineeNo']

const labelOfField = (name: Name) => fieldOf(saveCorrection, name).label

/** The fields that a correction changes. */
const changed = (row: Pick<Row, 'after'>) =>
  names.filter((name) => row.after[name] !== undefined && row.after[name] !== null)

/** Which fields a correction changes, in a line of the list. */
export const changedWords = (row: Pick<Row, 'after'>) => changed(row).map(labelOfField).join('、')

const written = (correction: View, side: Side, name: Name): ReactNode => {
  const value = correction[side][name]
  if (name === 'idCardNo') {
    return (
      <Masked
        entity="studentCorrection"
        id={correction.id}
        field={`${side}IdCardNo`}
        label={`${side === 'before' ? '更正前' : '更正后'}证件号`}
        value={value}
      />
    )
  }
  const ethnicity = side === 'before' ? correction.ethnicityBefore : correction.ethnicityAfter
  const words = name === 'ethnicity' ? ethnicity : labelOf(saveCorrection, name, value)
  return words || <span className="nothing">—</span>
}

/** 更正前 and 更正后 side by side. */
export const Compared = ({ correction }: { correction: View }) => (
  <table className="compared">
    <caption className="unseen">更正内容</caption>
    <thead>
      <tr>
        <th scope="col">项目</th>
        <th scope="col">更正前</th>
        <th scope="col">更正后</th>
      </tr>
    </thead>
    <tbody>
      {changed(correction).map((name) => (
        <tr key={name}>
          <th scope="row">{labelOfField(name)}</th>
          <td>{written(correction, 'before', name)}</td>
          <td>
            <strong>{written(correction, 'after', name)}</strong>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** 提醒: what the rules found worth a second look; it hinders nobody. */
export const Warnings = ({ correction: { warnings } }: { correction: View }) =>
  warnings.length > 0 && <Alert type="warning" title="请核对" content={warnings.join('；')} />

/** 材料, each to be opened by itself; pictures are looked at beside the values. */
export const Evidence = ({ correction: { attachments } }: { correction: View }) => {
  const labels = new Map<string, string>(useEvidenceKinds())
  if (attachments.length === 0) return <p>没有上传材料</p>
  return (
    <ul className="papers" aria-label="材料">
      {attachments.map(({ kind, key, name, url }) => (
        <li key={key}>
          <PaperFigure label={labels.get(kind) ?? name} name={name} url={url} />
        </li>
      ))}
    </ul>
  )
}

/** 办理过程: who asked, who decided, and what they said. */
export const Steps = ({ correction: { steps } }: { correction: View }) => (
  <ol className="correction-steps">
    {steps.map((step) => (
      <li key={`${step.createdAt}${step.toStatus}`}>
        <strong>{labelOf(viewCorrection, 'status', step.toStatus)}</strong>
        <p>
          {[`${step.actorName}于${formatTime(step.createdAt)}${step.fromStatus ? '办理' : '申请'}`, step.remark]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </li>
    ))}
  </ol>
)
