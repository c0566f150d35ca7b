import { Alert, Button, Modal, Space, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import { refetchAll } from '@/api/query'
import { errorRows } from '@/kit/csv'
import { formatNumber } from '@/kit/format'
import { JobProgress } from '@/kit/JobProgress'
import { Failed } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { useJob } from '@/kit/useJob'
import { copyFoundations, listAvailableSchools, type listSchools, viewFoundations } from './api'
import { canCome, type Foundation, withNeeds } from './foundations'
import { schoolOptions } from './SchoolsSelect'
import './schools.css'

/** The school that takes something over. */
type Target = Pick<RowOf<typeof listSchools>, 'id' | 'name'>

const number = (value: number) => formatNumber(value)

const columns = [
  { title: '种类', dataIndex: 'name', width: 110 },
  { title: '来源在用', dataIndex: 'found', width: 90, align: 'right' as const, render: number },
  { title: '本校已有', dataIndex: 'known', width: 90, align: 'right' as const, render: number },
  { title: '将新增', dataIndex: 'added', width: 80, align: 'right' as const, render: number },
  {
    title: '内容',
    key: 'names',
    render: (_: unknown, { names, added, refusal }: Foundation) =>
      refusal ?? `${names.join('、')}${added > names.length ? `等${formatNumber(added)}项` : ''}`,
  },
]

/** What became of it, kind by kind, and what could not come. */
const Outcome = ({ message, errors }: { message: string; errors: unknown }) => {
  const failed = errorRows(errors)
  return (
    <>
      <ul className="foundation-result" aria-label="复制结果">
        {message.split('；').map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {failed.length > 0 && (
        <Table
          size="small"
          rowKey={(row) => row.join()}
          data={failed}
          pagination={{ pageSize: 8, hideOnSinglePage: true }}
          columns={[
            { title: '未复制', width: 220, render: (_: unknown, row: string[]) => row[1] },
            { title: '原因', render: (_: unknown, row: string[]) => row[2] },
          ]}
        />
      )}
    </>
  )
}

/** 复制基础数据: what both schools will have alike, looked at before it comes; nothing that is there is touched. */
export const CopyFoundations = ({ visible, record, onClose }: DrawerProps<Target>) => {
  const offered = useOptions(listAvailableSchools, schoolOptions(''), visible).data ?? []
  const templates = offered.filter(({ code, template }) => template && code !== record?.id)
  const [chosen, setChosen] = useState<number | null>()
  // A template is what most new schools begin with; whoever clears it wants none.
  const source = chosen === undefined ? templates[0]?.code : (chosen ?? undefined)
  const choose = (school: number | undefined) => {
    setChosen(school ?? null)
    setUnwanted([])
  }
  const [unwanted, setUnwanted] = useState<readonly string[]>([])
  const preview = useQuery({
    queryKey: [viewFoundations.path, record?.id, source],
    queryFn: () => call(viewFoundations, { query: { id: record?.id ?? 0, sourceId: source ?? 0 } }),
    enabled: visible && record !== undefined && source !== undefined,
    gcTime: 0,
  })
  const starting = useMutation({
    mutationFn: (kinds: string[]) =>
      call(copyFoundations, { body: { id: record?.id ?? 0, sourceId: source ?? 0, kinds } }),
  })
  const job = useJob(starting.data?.jobId).data
  const kinds = preview.data ?? []
  const wanted = withNeeds(
    kinds,
    kinds.filter(canCome).flatMap(({ kind }) => (unwanted.includes(kind) ? [] : [kind])),
  )
  const count = kinds.filter(({ kind }) => wanted.includes(kind)).reduce((sum, { added }) => sum + added, 0)
  const isOver = job !== undefined && job.state !== 'queued' && job.state !== 'running'
  const title = `为“${record?.name ?? ''}”复制基础数据`
  const close = () => {
    if (isOver) refetchAll()
    onClose()
  }
  return (
    <Modal
      title={title}
      style={{ width: 760 }}
      visible={visible}
      onCancel={close}
      unmountOnExit
      footer={
        <Space>
          <Button onClick={close}>{starting.data ? '关闭' : '取消'}</Button>
          {!starting.data && (
            <Button
              type="primary"
              disabled={count === 0}
              loading={starting.isPending}
              onClick={() => starting.mutate([...wanted])}
            >
              {count > 0 ? `复制${formatNumber(count)}项` : '复制'}
            </Button>
          )}
        </Space>
      }
    >
      <Alert
        className="form-lead"
        content="已有的不变，停用的不复制；开办学院、开课单位、教学大纲、封面和图片是各校自己的，也不复制。"
      />
      {!starting.data && (
        <>
          <div className="foundation-source">
            <span>来源院校</span>
            <div>
              <OptionSelect
                label="来源院校"
                options={listAvailableSchools}
                query={schoolOptions}
                except={record?.id}
                known={templates.find(({ code }) => code === source)}
                value={source}
                onChange={choose}
              />
            </div>
            {templates.length > 0 && (
              <>
                <span>模板院校</span>
                <Space wrap>
                  {templates.map(({ code, desc }) => (
                    <Button
                      key={code}
                      size="mini"
                      type={code === source ? 'primary' : 'outline'}
                      aria-pressed={code === source}
                      onClick={() => choose(code)}
                    >
                      {desc}
                    </Button>
                  ))}
                </Space>
              </>
            )}
          </div>
          {preview.isError && <Failed error={preview.error} retry={() => preview.refetch()} />}
          {source !== undefined && !preview.isError && (
            <Table
              size="small"
              rowKey="kind"
              loading={preview.isPending}
              data={kinds}
              pagination={false}
              columns={columns}
              rowSelection={{
                selectedRowKeys: [...wanted],
                checkboxProps: (row) => ({ disabled: !canCome(row), 'aria-label': `复制${row.name}` }),
                onChange: (keys) => setUnwanted(kinds.flatMap(({ kind }) => (keys.includes(kind) ? [] : [kind]))),
              }}
            />
          )}
        </>
      )}
      {starting.data && !isOver && (
        <div className="import-running" role="status">
          {job && <JobProgress job={job} />}
          <p>可以关闭窗口，结果在任务中心查看。</p>
        </div>
      )}
      {isOver && job.state === 'done' && <Outcome message={job.message} errors={job.errors} />}
      {isOver && job.state !== 'done' && <Alert type="error" content={job.message || '复制没有完成'} />}
    </Modal>
  )
}
