import { Form, Radio } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import type { Setup } from '@/exams/examRules'
import { SeveralPeople } from '@/exams/SeveralPeople'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Failed } from '@/kit/Loaded'
import type { DrawerProps } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listOnlineCandidates, reopenOnlineSetup, viewOnlineSetup } from './api'

const MOST = 500

const Field = fieldsOf(reopenOnlineSetup)

type Report = (message?: string) => void

interface PeopleProps {
  setupId: number
  value?: number[]
  onChange?: (ids: number[]) => void
}

/** Candidates of the examination, chosen by name or number. */
const PeopleInput = ({ setupId, value = [], onChange }: PeopleProps) => {
  const request = useRequest()
  const body = { setupId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listOnlineCandidates.path, 'reopen', body],
    queryFn: ({ signal }) => request(listOnlineCandidates, { body }, { signal }),
  })
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  return (
    <SeveralPeople
      label="考生"
      loading={query.isFetching}
      people={query.data?.list ?? []}
      value={value}
      onChange={onChange}
    />
  )
}

interface Reopening {
  id: number
  version: number
  endsAt?: string
  candidateIds?: number[]
  mode?: string
  reason?: string
}

/** 延长重开: named candidates may go on, or begin anew, until a new time. */
export const ReopenForm = ({ record: exam, ...drawer }: DrawerProps<Setup>) => (
  <FormDrawer<Reopening, Saved>
    {...drawer}
    record={exam && { id: exam.id, version: exam.version, mode: 'resume' }}
    title={`延长重开 ${exam?.name ?? ''}`}
    okText="重新开放"
    action={(held) => formAction(reopenOnlineSetup, '已重新开放考试', held && { id: held.id, version: held.version })}
    reload={async (held, call) => ({
      ...held,
      version: (await call(viewOnlineSetup, { query: { id: held.id } })).version,
    })}
  >
    <p className="form-hint">只有所选考生可以在新的时间之前作答；例如考点停电。</p>
    <Field name="endsAt">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="mode" help="继续作答：以交卷时的剩余时间继续；重新作答：原答卷作废">
      <Radio.Group
        options={(reopenOnlineSetup.fields.mode?.options ?? []).map(([value, label]) => ({ value, label }))}
      />
    </Field>
    <Form.Item
      field="candidateIds"
      label="考生"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(Array.isArray(value) && value.length > 0 ? undefined : '请选择考生'),
        },
      ]}
    >
      {exam ? <PeopleInput setupId={exam.id} /> : <span />}
    </Form.Item>
    <Field name="reason" />
  </FormDrawer>
)
