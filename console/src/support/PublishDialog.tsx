import { Form, Radio } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import type { BulkResult } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { FormDialog } from '@/kit/FormDialog'
import { formatNumber } from '@/kit/format'
import { withZone } from '@/kit/moments'
import type { Desk } from './desks'

/** Which articles are published; `done` unticks those that were. */
export interface Publishing {
  ids: readonly number[]
  title: string
  done?: (failed: BulkResult['failed']) => void
}

interface PublishDialogProps {
  desk: Desk
  wanted: Publishing
  onClose: () => void
}

/** A picked time has no zone. */
const momentOf = (picked: string) => String(withZone({ picked }, ['picked']).picked)

interface Typed {
  when: 'now' | 'later'
  publishAt?: string
}

/** 发布: at once, or at a moment. */
export const PublishDialog = ({ desk, wanted, onClose }: PublishDialogProps) => (
  <FormDialog<Typed, BulkResult>
    title={wanted.title}
    okText="发布"
    action={({ when, publishAt }, call) =>
      call(desk.publish, {
        body: { ids: [...wanted.ids], publishAt: when === 'later' && publishAt ? momentOf(publishAt) : undefined },
      })
    }
    onDone={async (answer) => {
      onClose()
      wanted.done?.(answer.failed)
      await refetchAll()
      if (answer.failed.length > 0) tellFailures('发布', answer)
      else tellSuccess(`已办理${formatNumber(answer.done)}篇`)
    }}
    onClose={onClose}
  >
    <Form.Item field="when" label="发布时间" initialValue="now">
      <Radio.Group
        aria-label="发布时间"
        options={[
          { value: 'now', label: '立即发布' },
          { value: 'later', label: '定时发布' },
        ]}
      />
    </Form.Item>
    <Form.Item noStyle shouldUpdate>
      {(values: Partial<Typed>) =>
        values.when === 'later' && (
          <Form.Item
            field="publishAt"
            label="定时发布"
            required
            rules={[{ required: true, message: '请选择定时发布的时间' }]}
          >
            <DateTimeInput aria-label="定时发布" />
          </Form.Item>
        )
      }
    </Form.Item>
  </FormDialog>
)
