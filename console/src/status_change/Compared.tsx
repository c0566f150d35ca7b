import { Alert } from '@arco-design/web-react'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { PaperFigure } from '@/kit/Papers'
import { Word } from '@/kit/Status'
import { useEnumeration } from '@/settings/useEnumeration'
import { reviewChangeOfSite } from './api'
import { type Difference, differences, type View } from './changeRules'
import '@/kit/papers.css'
import './statusChange.css'

type Step = View['steps'][number]

/** 异动前 and 异动后 side by side; what differs is told by colour and by a word. */
export const DifferencesTable = ({ rows }: { rows: readonly Difference[] }) => (
  <table className="change-compared">
    <caption className="unseen">异动内容</caption>
    <thead>
      <tr>
        <th scope="col">项目</th>
        <th scope="col">异动前</th>
        <th scope="col">异动后</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ label, before, after, changed }) => (
        <tr key={label} className={changed ? 'change-differs' : undefined}>
          <th scope="row">{label}</th>
          <td>{before ?? '—'}</td>
          <td>
            {changed ? <strong>{after ?? '—'}</strong> : (after ?? '—')} {changed && <Word tone="warning">变更</Word>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const Compared = ({ change }: { change: View }) => (
  <DifferencesTable rows={differences([change.before, change.beforeNames], [change.after, change.afterNames])} />
)

/** 未能生效: why an approved change did not take effect on its day. */
export const StuckAlert = ({ change: { alert } }: { change: View }) =>
  alert && (
    <Alert
      className="form-lead"
      type="warning"
      title="到期未能生效"
      content={`${alert}。消除原因后次日自动生效；不再办理的请撤回。`}
    />
  )

/** 附件, each to be opened by itself. */
export const Attachments = ({ change: { attachments } }: { change: View }) =>
  attachments.length === 0 ? (
    <p>没有上传附件</p>
  ) : (
    <ul className="papers" aria-label="附件">
      {attachments.map(({ key, name, url }) => (
        <li key={key}>
          <PaperFigure label={name} name={name} url={url} />
        </li>
      ))}
    </ul>
  )

const Result = ({ result }: Pick<Step, 'result'>) =>
  result && <Word tone={result === 'pass' ? 'good' : 'bad'}>{labelOf(reviewChangeOfSite, 'result', result)}</Word>

/** 办理过程: who asked, who decided, and what they said. */
export const Timeline = ({ change: { steps } }: { change: View }) => {
  const stages = new Map(useEnumeration('changeStage').map(({ code, desc }) => [code, desc]))
  return (
    <ol className="change-steps" aria-label="办理过程">
      {steps.map((step) => (
        <li key={`${step.step}${step.createdAt}`} className={step.step === 'alert' ? 'change-stuck' : undefined}>
          <strong>{stages.get(step.step) ?? step.step}</strong> <Result result={step.result} />
          <p>
            {[`${step.actorName} ${formatTime(step.createdAt, 'YYYY-MM-DD HH:mm')}`, step.remark]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ol>
  )
}
