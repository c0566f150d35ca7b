import { Alert, Button, DatePicker, Form, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import type { BrokenLog } from '@/api/types/logs'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { verifyLogs } from './api'

type LogCheck = RowOf<typeof verifyLogs>

const logs: Record<BrokenLog['log'], string> = { login: '登录日志', operation: '操作日志' }
const defects: Record<BrokenLog['defect'], string> = {
  changed: '内容在封存后被修改',
  missing: '在封存后被删除',
  added: '是封存后添加的',
  seal: '的封存记录被修改',
}

const Result = ({ check: { broken, days, rows, open } }: { check: LogCheck }) => {
  if (broken) {
    const what = `${broken.day} 的${logs[broken.log]}${broken.id == null ? '' : `，编号 ${broken.id} 的记录`}`
    return (
      <Alert
        type="error"
        title="日志不完整"
        content={`${what}${defects[broken.defect]}。请保留数据库备份并联系数据库管理员核查。`}
      />
    )
  }
  if (days === 0) return <Alert type="info" content="所选日期还没有封存的日志。每日凌晨封存前一日的日志。" />
  return (
    <Alert
      type="success"
      title="日志完整"
      content={`共校验${formatNumber(rows)}条，均与封存时一致${open > 0 ? '；当日及尚未封存的日志不在其中' : ''}。`}
    />
  )
}

/** 校验: whether the rows of both logs are as they were sealed. */
const CheckDialog = ({ onClose }: { onClose: () => void }) => {
  const [span, setSpan] = useState<string[]>()
  const check = useMutation({
    mutationFn: () => call(verifyLogs, { body: { startsOn: span?.[0], endsOn: span?.[1] } }),
  })
  return (
    <Modal
      title="校验日志"
      style={{ width: 560 }}
      visible
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" loading={check.isPending} onClick={() => check.mutate()}>
            开始校验
          </Button>
        </>
      }
    >
      <Form layout="vertical">
        <Form.Item label="时间" extra="默认最近7天，跨度不超过92天。登录日志和操作日志一并校验。">
          <DatePicker.RangePicker aria-label="时间" style={{ width: '100%' }} value={span} onChange={setSpan} />
        </Form.Item>
      </Form>
      <div aria-live="polite">{check.data && <Result check={check.data} />}</div>
    </Modal>
  )
}

export const CheckLogs = () => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={verifyLogs}>
      <Button onClick={() => setOpen(true)}>校验日志</Button>
      {open && <CheckDialog onClose={() => setOpen(false)} />}
    </Can>
  )
}
