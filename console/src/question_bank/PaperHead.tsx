import { Alert, Button, Space } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { Can } from '@/kit/Can'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { listPapers, submitPaper } from './api'
import { CheckPaper } from './CheckPaper'
import { gapWords, type PaperDetail, totalWords } from './composition'
import { PaperPreview, type Printed } from './PaperSheet'
import { paperTones } from './tones'

/** Whether a paper can be handed in for its review. */
export const isOpen = ({ status }: Pick<PaperDetail, 'status'>) => status === 'draft' || status === 'rejected'

interface PaperHeadProps {
  paper: PaperDetail
  /** Where else one goes from here. */
  links?: ReactNode
}

/** What a paper comes to now, and the steps with the whole of it. */
export const PaperHead = ({ paper, links }: PaperHeadProps) => {
  const check = useDrawer<{ id: number; name: string }>()
  const preview = useDrawer<Printed>()
  const submit = useAction(submitPaper, { done: `已提交“${paper.name}”` })
  const gap = gapWords(paper.sections, paper.totalScore)
  const named = { id: paper.id, name: paper.name }
  return (
    <>
      {paper.status === 'rejected' && paper.rejectReason && (
        <Alert type="warning" content={`退回原因：${paper.rejectReason}`} />
      )}
      {paper.status === 'pending_review' && <Alert content="试卷待审核，不能修改；撤回提交或退回后可以修改" />}
      {paper.disabledCount > 0 && <Alert type="warning" content={`${paper.disabledCount}题已停用或待审核，不能提交`} />}
      <div className="toolbar">
        <output className="basket-total" aria-label="合计">
          <Word tone={paperTones[paper.status]}>{labelOf(listPapers, 'status', paper.status)}</Word>
          <strong>{totalWords(paper.sections, paper.totalScore)}</strong>
          {gap && <Word tone="warning">{gap}</Word>}
        </output>
        <div className="toolbar-right">
          <Space>
            {links}
            <Button onClick={() => preview.open(named)}>预览</Button>
            <Button onClick={() => check.open(named)}>检查</Button>
            <Can do={submitPaper}>
              <Button
                type="primary"
                loading={submit.isPending}
                disabled={!isOpen(paper)}
                title={isOpen(paper) ? undefined : '只有草稿和已退回的试卷可以提交'}
                onClick={() => submit.mutate({ body: { id: paper.id, version: paper.version } })}
              >
                提交
              </Button>
            </Can>
          </Space>
        </div>
      </div>
      <CheckPaper key={`check-${check.key}`} {...check.props} />
      <PaperPreview
        key={`preview-${preview.key}`}
        printed={preview.props.record}
        visible={preview.props.visible}
        onClose={preview.props.onClose}
      />
    </>
  )
}
