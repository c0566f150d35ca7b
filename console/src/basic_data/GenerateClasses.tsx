import { Button, Drawer, Form, InputNumber, Result, Space, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { listOptions } from '@/api/infra'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { generateClasses } from './api'
import { BasicSelect, basicOptions } from './BasicSelect'

type Generation = BodyOf<typeof generateClasses>
type Wanted = Generation['items'][number]

interface Cell {
  key: string
  majorId: number
  siteId: number
}

interface Size {
  count: number
  capacity?: number
}

/** 批量生成: classes of a grade for majors and sites, so many in each cell; shown first, then made. */
export const GenerateClasses = () => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={generateClasses}>
      <Button icon={<IconPlus />} onClick={() => setOpen(true)}>
        批量生成
      </Button>
      {open && <GenerateDrawer onClose={() => setOpen(false)} />}
    </Can>
  )
}

const GenerateDrawer = ({ onClose }: { onClose: () => void }) => {
  const request = useRequest()
  const formId = useId()
  const [gradeId, setGradeId] = useState<number>()
  const [levelId, setLevelId] = useState<number>()
  const [majors, setMajors] = useState<number[]>([])
  const [sites, setSites] = useState<number[]>([])
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [sizes, setSizes] = useState<Record<string, Size>>({})
  const run = useMutation({
    mutationFn: (body: Generation) => request(generateClasses, { body }),
    onSuccess: (_, { dryRun }) => {
      if (!dryRun) refetchAll()
    },
  })
  const cells: Cell[] = majors.flatMap((majorId) =>
    sites.map((siteId) => ({ key: `${majorId}-${siteId}`, majorId, siteId })),
  )
  const sizeOf = ({ key }: Cell): Size => sizes[key] ?? { count: 1 }
  const resize = (cell: Cell, size: Partial<Size>) =>
    setSizes((before) => ({ ...before, [cell.key]: { ...sizeOf(cell), ...size } }))
  const items: Wanted[] = cells
    .map((cell) => ({ majorId: cell.majorId, siteId: cell.siteId, ...sizeOf(cell) }))
    .filter(({ count }) => count > 0)
  const body = (dryRun: boolean): Generation | undefined =>
    gradeId === undefined ? undefined : { gradeId, items, dryRun }
  const start = (dryRun: boolean) => {
    const wanted = body(dryRun)
    if (wanted) run.mutate(wanted)
  }
  const named = (kind: string, id: number) => names.get(`${kind}${id}`) ?? String(id)
  const remember = (kind: string) => (choices: readonly { code: number; desc: string }[]) =>
    setNames((before) => new Map([...before, ...choices.map(({ code, desc }) => [`${kind}${code}`, desc] as const)]))
  const shown = run.data
  const made = shown && shown.done > 0
  return (
    <Drawer
      title="批量生成班级"
      width={820}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{made ? '关闭' : '取消'}</Button>
          {shown && !made && <Button onClick={() => run.reset()}>修改条件</Button>}
          {shown && !made && (
            <Button type="primary" loading={run.isPending} onClick={() => start(false)}>
              确认生成{formatNumber(shown.classes.length)}个班级
            </Button>
          )}
          {!shown && (
            <Button
              type="primary"
              loading={run.isPending}
              disabled={!gradeId || items.length === 0}
              onClick={() => start(true)}
            >
              预览
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name="批量生成班级" />
      {!shown && (
        <>
          <Form id={formId} layout="vertical" className="form-grid">
            <Form.Item label="年级" required>
              <BasicSelect type="grade" label="年级" value={gradeId} onChange={setGradeId} />
            </Form.Item>
            <Form.Item label="层次">
              <BasicSelect
                type="level"
                label="层次"
                value={levelId}
                onChange={(id) => {
                  setLevelId(id)
                  setMajors([])
                }}
              />
            </Form.Item>
            <Form.Item label="专业" required>
              <SeveralOptions
                label="专业"
                options={listOptions}
                query={basicOptions('major', levelId)}
                placeholder="请选择"
                value={majors}
                onChange={setMajors}
                onFound={remember('major')}
              />
            </Form.Item>
            <Form.Item label="站点" required>
              <SeveralOptions
                label="站点"
                options={listOptions}
                query={basicOptions('site')}
                placeholder="请选择"
                value={sites}
                onChange={setSites}
                onFound={remember('site')}
              />
            </Form.Item>
          </Form>
          {cells.length > 0 && (
            <Table
              size="small"
              rowKey="key"
              border={{ wrapper: true }}
              pagination={{ pageSize: 20, hideOnSinglePage: true }}
              data={cells}
              columns={[
                { title: '专业', dataIndex: 'majorId', render: (id: number) => named('major', id) },
                { title: '站点', dataIndex: 'siteId', render: (id: number) => named('site', id) },
                {
                  title: '班级数',
                  dataIndex: 'count',
                  width: 130,
                  render: (_: unknown, cell: Cell) => (
                    <InputNumber
                      aria-label={`${named('major', cell.majorId)} ${named('site', cell.siteId)} 班级数`}
                      min={0}
                      max={50}
                      precision={0}
                      value={sizeOf(cell).count}
                      onChange={(count) => resize(cell, { count: count ?? 0 })}
                    />
                  ),
                },
                {
                  title: '容量',
                  dataIndex: 'capacity',
                  width: 130,
                  render: (_: unknown, cell: Cell) => (
                    <InputNumber
                      aria-label={`${named('major', cell.majorId)} ${named('site', cell.siteId)} 容量`}
                      min={1}
                      max={500}
                      precision={0}
                      placeholder="默认"
                      value={sizeOf(cell).capacity}
                      onChange={(capacity) => resize(cell, { capacity: capacity ?? undefined })}
                    />
                  ),
                },
              ]}
            />
          )}
        </>
      )}
      {made && <Result status="success" title={`已生成${formatNumber(shown.done)}个班级`} />}
      {shown && (
        <Table
          size="small"
          rowKey="code"
          border={{ wrapper: true }}
          pagination={{ pageSize: 20, hideOnSinglePage: true }}
          data={shown.classes}
          columns={[
            { title: '名称', dataIndex: 'name' },
            { title: '编码', dataIndex: 'code', width: 220 },
            { title: '容量', dataIndex: 'capacity', width: 90, align: 'right' },
          ]}
        />
      )}
    </Drawer>
  )
}
