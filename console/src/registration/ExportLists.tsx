import { Button, Checkbox, Form, Input, Radio } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { useCall, useNamed } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { FormDialog } from '@/kit/FormDialog'
import { formatNumber } from '@/kit/format'
import { exportRegistrations } from './api'
import { countOf, type Sheet } from './registrationRules'

/** More rows than these are exported as a job. */
const JOB_ABOVE = 20_000

interface ExportListsProps {
  table: { body: object; segments: readonly { value: string; count: number }[] }
}

interface Wish {
  sheet: Sheet
  whole?: boolean
  reason?: string
}

/** What the list was asked for, but the state: a list says itself who stands in it. */
const filterOf = (body: object) =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => !['status', 'sheet', 'pageCurrent', 'pageSize'].includes(name)),
  )

const Reason = () => {
  const { form } = Form.useFormContext()
  const whole: boolean | undefined = Form.useWatch('whole', form)
  if (!whole) return null
  return (
    <Form.Item field="reason" label="用途" rules={[{ required: true, minLength: 2, message: '请填写用途，至少2个字' }]}>
      <Input aria-label="用途" placeholder="例如 新生报到存档" maxLength={200} />
    </Form.Item>
  )
}

const Ask = ({ table, onClose }: ExportListsProps & { onClose: () => void }) => {
  const call = useCall()
  const named = useNamed()
  const allowed = useAllowed()
  const plain = exportRegistrations.sheet?.whole
  const mayWhole = plain !== undefined && allowed({ ...exportRegistrations, permission: plain })
  const lists = (exportRegistrations.fields.sheet?.options ?? []).flatMap(([value, label]) => {
    const sheet = (['roll', 'missing', 'reserved', 'abandoned'] as const).find((each) => each === value)
    return sheet ? [{ sheet, label, count: countOf(sheet, table.segments) }] : []
  })
  const send = async ({ sheet, whole, reason }: Wish) => {
    const list = lists.find((each) => each.sheet === sheet)
    const body = { ...filterOf(table.body), sheet }
    const query = whole ? { whole, reason: reason?.trim() } : {}
    if ((list?.count ?? 0) > JOB_ABOVE) {
      await call<object, object, unknown>(exportRegistrations, { query: { ...query, job: true }, body })
      return '正在导出，完成后请在任务中心下载'
    }
    await download(exportRegistrations, named(exportRegistrations, { query, body }), `${list?.label}.xlsx`)
    return `已导出${list?.label}`
  }
  return (
    <FormDialog<Wish, string>
      title="导出名单"
      okText="导出"
      lead={<p className="form-hint">A4 横向，含签字栏；范围与列表的筛选相同（状态除外）。</p>}
      action={send}
      onDone={(words) => {
        onClose()
        tellSuccess(words)
      }}
      onClose={onClose}
    >
      <Form.Item field="sheet" label="名单" rules={[{ required: true, message: '请选择名单' }]}>
        <Radio.Group
          aria-label="名单"
          direction="vertical"
          options={lists.map(({ sheet, label, count }) => ({
            value: sheet,
            label: `${label}（${formatNumber(count)}人）`,
            disabled: count === 0,
          }))}
        />
      </Form.Item>
      {mayWhole && (
        <>
          <Form.Item field="whole" triggerPropName="checked">
            <Checkbox>证件号显示完整内容（记入日志）</Checkbox>
          </Form.Item>
          <Reason />
        </>
      )}
    </FormDialog>
  )
}

/** 导出名单: 花名册, who is missing, and the two forms that are signed. */
export const ExportLists = ({ table }: ExportListsProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={exportRegistrations}>
      <Button icon={<IconDownload />} onClick={() => setOpen(true)}>
        导出名单
      </Button>
      {open && <Ask table={table} onClose={() => setOpen(false)} />}
    </Can>
  )
}
