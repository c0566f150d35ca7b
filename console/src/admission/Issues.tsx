import type { RowOf } from '@/api/operation'
import { Word } from '@/kit/Status'
import { listAdmissions } from './api'
import { issueTones } from './tones'
import './admission.css'

type Issue = RowOf<typeof listAdmissions>['issues'][number]

const words = new Map<string, string>(listAdmissions.fields.issue?.options)

/** 问题, each as a tag; nothing is told by colour alone. */
export const Issues = ({ issues }: { issues: readonly Issue[] }) =>
  issues.length === 0 ? (
    <span className="nothing">—</span>
  ) : (
    <span className="admission-issues">
      {issues.map((issue) => (
        <Word key={issue} tone={issueTones[issue]}>
          {words.get(issue) ?? issue}
        </Word>
      ))}
    </span>
  )
