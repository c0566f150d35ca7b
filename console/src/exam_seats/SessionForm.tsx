import { sites } from '@/basic_data/choices'
import { batches } from '@/exams/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { editExamSession, saveExamSession, viewExamSession } from './api'
import type { Session } from './seatRules'

const Field = fieldsOf(saveExamSession)

/** 新增, 编辑 of a session; with seats the server looks for clashes anew. */
export const SessionForm = ({ record: session, batchId, ...drawer }: DrawerProps<Session> & { batchId?: number }) => (
  <FormDrawer<Session, { id: number }>
    {...drawer}
    record={session}
    initial={{ batchId, siteIds: [] }}
    title={session ? `编辑场次 ${session.code} ${session.name}` : '新增场次'}
    keep={['batchId', 'examDate', 'siteIds']}
    action={(row) => (row ? formAction(editExamSession, '已保存场次', row) : formAction(saveExamSession, '已新增场次'))}
    reload={(row, call) => call(viewExamSession, { query: { id: row.id } })}
  >
    <Field name="batchId" disabled={session !== undefined}>
      <OptionSelect
        label="批次"
        {...batches}
        disabled={session !== undefined}
        known={session && { code: session.batchId, desc: session.batchName }}
      />
    </Field>
    <Field name="name" help="不填时为“第01场”" />
    <Field name="examDate" help="在批次的考试日期之内" />
    <Field name="startTime" placeholder="09:00" />
    <Field name="endTime" placeholder="11:00" />
    <Field name="durationMinutes" help="不填时为开始到结束的时间" />
    <Field name="siteIds" help="不选为全部站点">
      <SeveralOptions
        label="站点"
        {...sites}
        known={session?.siteIds.map((code, at) => ({ code, desc: session.siteNames[at] ?? `编号${code}` }))}
      />
    </Field>
  </FormDrawer>
)
