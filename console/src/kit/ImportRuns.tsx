import { Alert, Button, Drawer, Empty, Modal, Space, Table } from '@arco-design/web-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { listImportRuns, undoImport } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { Can } from './Can'
import { csvOf, errorRows } from './csv'
import { DialogName } from './DialogName'
import { formatNumber, formatTime } from './format'
import { Running } from './importRun'
import { Failed } from './Loaded'
import { type Tone, Word } from './Status'
import { useJob } from './useJob'
import { FIRST_PAGE } from './useQueryTable'

type ImportRun = RowOf<typeof listImportRuns>

/** So many stand on a page. */
const PAGE_SIZE = 10
/** The server names so many records that stay, and no more. */
const MOST_NAMED = 1000

/** What can still be done with an import, in words. */
export const stateOf = ({
  records,
  undone,
  until,
}: Pick<ImportRun, 'records' | 'undone' | 'until'>): readonly [Tone, string] => {
  if (records === 0) return ['quiet', '没有写入记录']
  if (undone >= records) return ['quiet', '已撤销']
  if (undone > 0) return ['warning', `部分撤销，${formatNumber(records - undone)}条保留`]
  return ['good', `可撤销至${formatTime(until, 'YYYY-MM-DD HH:mm')}`]
}

/** How many go back of so many, when these were told to stay; none where there are too many to be told one by one. */
export const goingBack = (total: number, kept: number) => (kept < MOST_NAMED ? total - kept : undefined)

/** The verb with its number. */
export const undoWords = (count: number | undefined) =>
  count === undefined ? '撤销其余记录' : `撤销${formatNumber(count)}条`

/** One run of the undoing, as a check or for good: always a job. */
const useUndoRun = (id: number, dryRun: boolean) => {
  const call = useCall()
  const start = useMutation({ mutationFn: () => call(undoImport, { body: { id, dryRun } }) })
  const following = useJob(start.data?.jobId)
  const job = following.data
  const isOver = job !== undefined && job.state !== 'queued' && job.state !== 'running'
  useEffect(() => {
    if (isOver && !dryRun) refetchAll()
  }, [isOver, dryRun])
  const error = start.error ?? following.error
  return {
    start: () => start.mutate(),
    forget: start.reset,
    begun: !start.isIdle,
    isRunning: !error && !start.isIdle && !isOver,
    job,
    /** Why it came to nothing. */
    failure: error ? messageOf(error) : isOver && job.state !== 'done' ? job.message || '任务已取消' : undefined,
    isDone: isOver && job.state === 'done',
    total: job?.total ?? 0,
    message: job?.message ?? '',
    kept: errorRows(isOver ? job.errors : []).map(([, name = '', reason = '']) => ({ name, reason })),
    fileUrl: job?.fileUrl,
  }
}

type Kept = Pick<ReturnType<typeof useUndoRun>, 'kept' | 'fileUrl'>

/** What stays and why, to be read and to be taken along. */
const Staying = ({ run: { kept, fileUrl }, name }: { run: Kept; name: string }) => {
  if (kept.length === 0) return null
  const rows = kept.map((row, key) => ({ key, ...row }))
  const save = () => {
    if (fileUrl) location.assign(fileUrl)
    else
      saveBlob(
        csvOf(
          ['名称', '原因'],
          kept.map((row) => [row.name, row.reason]),
        ),
        `${name}不能撤销的记录.csv`,
      )
  }
  return (
    <>
      <Table
        className="import-errors"
        size="small"
        rowKey="key"
        data={rows}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        columns={[
          { title: '名称', dataIndex: 'name', width: 200, render: (text: string) => text || '—' },
          { title: '不能撤销的原因', dataIndex: 'reason' },
        ]}
      />
      <Button className="bulk-download" onClick={save}>
        下载不能撤销的记录
      </Button>
    </>
  )
}

const UNCHANGED = '检查不会改动数据。'
const ON = '可以关闭窗口去做别的事，进度在任务中心查看。'
const EFFECT =
  '新增的记录会删除，修改的记录会恢复为导入前的内容；导入后有改动或被引用的记录保留不动。撤销会记入变更记录。'

/** 撤销: first what can go back and what cannot, then the doing. */
const Undo = ({ run }: { run: ImportRun }) => {
  const [open, setOpen] = useState(false)
  const check = useUndoRun(run.id, true)
  const real = useUndoRun(run.id, false)
  const name = `${run.title}（${run.fileName}）`
  const count = goingBack(check.total, check.kept.length)
  const close = () => {
    setOpen(false)
    check.forget()
    real.forget()
  }
  const now = real.begun ? real : check
  return (
    <>
      {run.undone < run.records && (
        <Can do={undoImport}>
          <Button
            type="text"
            size="small"
            status="danger"
            onClick={() => {
              setOpen(true)
              check.start()
            }}
          >
            撤销
          </Button>
        </Can>
      )}
      <Modal
        title={`撤销导入：${name}`}
        style={{ width: 680 }}
        visible={open}
        maskClosable={false}
        onCancel={close}
        unmountOnExit
        footer={
          <Space>
            <Button onClick={close}>{real.begun ? '关闭' : '取消'}</Button>
            {now.failure && <Button onClick={now.start}>{real.begun ? '重试' : '重新检查'}</Button>}
            {!real.begun && check.isDone && count !== 0 && (
              <Button type="primary" status="danger" onClick={real.start}>
                {undoWords(count)}
              </Button>
            )}
          </Space>
        }
      >
        {now.isRunning && (
          <Running run={now} words={real.begun ? '正在撤销' : '正在检查'} meanwhile={real.begun ? ON : UNCHANGED} />
        )}
        {now.failure && <Alert type="error" content={now.failure} />}
        {now.isDone && (
          <>
            <Alert
              type={now.kept.length > 0 ? 'warning' : real.begun ? 'success' : 'info'}
              title={now.message}
              content={real.begun ? undefined : EFFECT}
            />
            <Staying run={now} name={name} />
          </>
        )}
      </Modal>
    </>
  )
}

const State = ({ run }: { run: ImportRun }) => {
  const [tone, words] = stateOf(run)
  return (
    <>
      <Word tone={tone}>{words}</Word>
      {run.undoneAt && (
        <div className="import-undone">
          {run.undoneBy} {formatTime(run.undoneAt, 'YYYY-MM-DD HH:mm')}
        </div>
      )}
    </>
  )
}

/** 导入记录: what was imported within the last 30 days by whom, and the way back. */
export const ImportRuns = () => {
  const call = useCall()
  const [page, setPage] = useState(FIRST_PAGE)
  const runs = useQuery({
    queryKey: [listImportRuns.path, page],
    queryFn: () => call(listImportRuns, { body: { pageCurrent: page, pageSize: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  if (runs.isError && !runs.data) return <Failed error={runs.error} retry={() => runs.refetch()} />
  return (
    <Table
      rowKey="id"
      size="small"
      border={{ wrapper: true }}
      loading={runs.isPending || runs.isPlaceholderData}
      data={runs.data?.list ?? []}
      scroll={{ x: 860 }}
      noDataElement={<Empty description="近30天没有导入记录。导入表格之后，可以在这里撤销。" />}
      pagination={{
        current: page,
        pageSize: PAGE_SIZE,
        total: runs.data?.totalCount ?? 0,
        hideOnSinglePage: true,
        onChange: setPage,
      }}
      columns={[
        { title: '内容', dataIndex: 'title', width: 110 },
        { title: '文件名', dataIndex: 'fileName' },
        {
          title: '行数',
          dataIndex: 'total',
          width: 70,
          align: 'right',
          render: (count: number) => formatNumber(count),
        },
        { title: '导入人', dataIndex: 'byName', width: 120 },
        { title: '导入时间', dataIndex: 'at', width: 165, render: (at: string) => formatTime(at) },
        { title: '状态', key: 'state', width: 215, render: (_: unknown, run: ImportRun) => <State run={run} /> },
        { title: '操作', key: 'actions', width: 70, render: (_: unknown, run: ImportRun) => <Undo run={run} /> },
      ]}
    />
  )
}

/** How wide the drawer is: seven columns. */
const RUNS_PX = 920

/** The same in a drawer of its own. */
export const ImportRunsDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Drawer title="导入记录" width={RUNS_PX} visible={open} onCancel={onClose} footer={null} maskClosable unmountOnExit>
    <DialogName name="导入记录" />
    <ImportRuns />
  </Drawer>
)
