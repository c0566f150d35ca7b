import { Alert, Button, Drawer, Form, Result, Space, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { DataOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { openSemesters, semesters } from '@/basic_data/choices'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { copyAllocations } from './api'
import { roleWord } from './choices'

const TITLE = '沿用上学期任课'

type Copied = DataOf<typeof copyAllocations>

/** What is not taken over, and why. */
const Skipped = ({ rows }: { rows: Copied['skipped'] }) => (
  <Table
    size="small"
    rowKey="key"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={rows.map((row, key) => ({ key, ...row }))}
    columns={[
      { title: '课程', dataIndex: 'courseName' },
      { title: '班级', dataIndex: 'className', width: 170, render: (name?: string | null) => name ?? '全部班级' },
      { title: '教师', dataIndex: 'teacherName', width: 90 },
      { title: '角色', dataIndex: 'role', width: 60, render: roleWord },
      { title: '原因', dataIndex: 'message', width: 220 },
    ]}
  />
)

/** 沿用上学期: what would be taken over is shown before it is. */
export const CopyAllocations = ({ to, onClose }: { to: Choice | undefined; onClose: () => void }) => {
  const request = useRequest()
  const formId = useId()
  const [fromId, setFrom] = useState<number>()
  const [target, setTarget] = useState(to)
  const run = useMutation({
    mutationFn: (body: { fromSemesterId: number; toSemesterId: number; dryRun: boolean }) =>
      request(copyAllocations, { body }),
    onSuccess: async (_, { dryRun }) => {
      if (!dryRun) await refetchAll()
    },
  })
  const start = (dryRun: boolean) => {
    if (fromId !== undefined && target) run.mutate({ fromSemesterId: fromId, toSemesterId: target.code, dryRun })
  }
  const shown = run.data
  const done = shown !== undefined && run.variables?.dryRun === false
  const same = fromId !== undefined && fromId === target?.code
  return (
    <Drawer
      title={TITLE}
      width={820}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{done ? '关闭' : '取消'}</Button>
          {shown && !done && <Button onClick={() => run.reset()}>修改条件</Button>}
          {shown && !done && (
            <Button type="primary" loading={run.isPending} disabled={shown.created === 0} onClick={() => start(false)}>
              确认沿用{formatNumber(shown.created)}条
            </Button>
          )}
          {!shown && (
            <Button
              type="primary"
              loading={run.isPending}
              disabled={fromId === undefined || !target || same}
              onClick={() => start(true)}
            >
              预览
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name={TITLE} />
      {!shown && (
        <>
          <p className="form-lead">
            同一班级的同一课程，或同一站点的同一课程，沿用原来的教师、角色和学时；已有主讲的班级保持不变。
          </p>
          <Form id={formId} layout="vertical" className="form-grid">
            <Form.Item label="从学期" required>
              <OptionSelect label="从学期" {...semesters} value={fromId} onChange={setFrom} />
            </Form.Item>
            <Form.Item
              label="到学期"
              required
              validateStatus={same ? 'error' : undefined}
              help={same ? '请选择其他学期' : undefined}
            >
              <OptionSelect
                label="到学期"
                {...openSemesters}
                value={target?.code}
                known={target}
                onChange={(_, choice) => setTarget(choice)}
              />
            </Form.Item>
          </Form>
        </>
      )}
      {shown && done && <Result status="success" title={`已沿用${formatNumber(shown.created)}条任课安排`} />}
      {shown && !done && (
        <Alert
          className="form-lead"
          type={shown.created > 0 ? 'info' : 'warning'}
          content={`将沿用${formatNumber(shown.created)}条任课安排，${formatNumber(shown.skipped.length)}条不沿用`}
        />
      )}
      {shown && shown.skipped.length > 0 && <Skipped rows={shown.skipped} />}
    </Drawer>
  )
}
