import { Form, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { FormDialog } from '@/kit/FormDialog'
import { formatNumber } from '@/kit/format'
import { hasWords, notFound } from './categories'
import type { Desk } from './desks'

interface AssignDialogProps {
  desk: Desk
  ids: readonly number[]
  done: (failed: BulkResult['failed']) => void
  onClose: () => void
}

/** 分派: whose duty questions become; a question tells who may reply. */
export const AssignDialog = ({ desk, ids, done, onClose }: AssignDialogProps) => {
  const request = useRequest()
  const [first = 0] = ids
  const query = useQuery({
    queryKey: [desk.question.path, first, 'assignees'],
    queryFn: ({ signal }) => request(desk.question, { query: { id: first, assignees: true } }, { signal }),
  })
  return (
    <FormDialog<{ userId: number }, BulkResult>
      title={`分派${formatNumber(ids.length)}条咨询`}
      okText="分派"
      action={({ userId }, call) => call(desk.assign, { body: { ids: [...ids], userId } })}
      onDone={async (answer) => {
        onClose()
        done(answer.failed)
        await refetchAll()
        if (answer.failed.length > 0) tellFailures('分派', answer)
        else tellSuccess(`已分派${formatNumber(answer.done)}条`)
      }}
      onClose={onClose}
    >
      <Form.Item field="userId" label="负责人" required rules={[{ required: true, message: '请选择负责人' }]}>
        <Select
          aria-label="负责人"
          placeholder="请选择"
          showSearch
          filterOption={hasWords}
          loading={query.isFetching}
          notFoundContent={notFound(query, '没有可以回复此类咨询的人员，请先在角色中授权')}
          options={(query.data?.assignees ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Form.Item>
    </FormDialog>
  )
}
