import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { copyPaper, type listPapers, rejectPaper } from './api'

type Paper = RowOf<typeof listPapers>

const Rejected = fieldsOf(rejectPaper)

/** 退回 of a paper with the reason, which its author reads. */
export const RejectPaper = ({ record: paper, ...drawer }: DrawerProps<Paper>) => (
  <FormDrawer<{ reason?: string }, { id: number }>
    {...drawer}
    record={undefined}
    title={`退回试卷 ${paper?.name ?? ''}`}
    okText="退回"
    danger
    action={() => formAction(rejectPaper, `已退回“${paper?.name}”`, { id: paper?.id, version: paper?.version })}
  >
    <Rejected name="reason" label="退回原因" required help="2至500个字，组卷人可以看到" />
  </FormDrawer>
)

const Copied = fieldsOf(copyPaper)

/** A paper that is copied, or of which another variant is made. */
export interface Copying {
  paper: Paper
  mode: 'copy' | 'variant'
}

/** 复制 to a paper of its own, or 生成另一卷 of the same one with other questions. */
export const CopyPaper = ({ record, ...drawer }: DrawerProps<Copying>) => {
  const isVariant = record?.mode === 'variant'
  const title = `${isVariant ? '生成另一卷' : '复制试卷'} ${record?.paper.name ?? ''}`
  return (
    <FormDrawer<{ name?: string; variant?: Paper['variant']; overlapMaxPercent?: number }, { id: number }>
      {...drawer}
      record={undefined}
      title={title}
      okText={isVariant ? '生成' : '复制'}
      initial={
        isVariant ? { overlapMaxPercent: record?.paper.overlapMaxPercent } : { name: `${record?.paper.name}（复制）` }
      }
      action={() =>
        formAction(copyPaper, isVariant ? '已生成另一卷，状态为草稿' : '已复制试卷，状态为草稿', {
          id: record?.paper.id,
          mode: record?.mode,
        })
      }
    >
      {isVariant ? (
        <>
          <p className="form-hint">
            大题和分值相同，每道题尽量换成同题型、同章节、同难度的另一题；题量不足时保留原题。
          </p>
          <Copied name="variant" label="卷别" required={false} help="留空时取下一个字母" />
          <Copied name="overlapMaxPercent" label="重复率上限" help="与原卷相同试题的最高百分比" />
        </>
      ) : (
        <Copied name="name" label="名称" required />
      )}
    </FormDrawer>
  )
}
