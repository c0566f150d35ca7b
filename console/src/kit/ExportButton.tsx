import { Button, Checkbox, Input, Modal, Radio } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useAllowed, useIdentity } from '@/api/identity'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from './Can'
import { ALL, type ExportChoice, type ExportSet, headingsOf, OWN, readChoice, SHOWN } from './exportChoice'
import { formatNumber } from './format'
import { type SavedView, useSavedViews } from './savedViews'
import { useShownColumns } from './shownColumns'
import { offerExport, useViewExport } from './viewExport'

/** More rows than these are exported as a job. */
const JOB_ABOVE = 20_000
const LEAST_REASON = 2
const MOST_REASON = 200

interface Wish {
  columns?: string
  whole?: boolean
  reason?: string
}

interface ExportButtonProps {
  do: Operation<{ job?: boolean | null } | undefined, unknown, Blob>
  table: { body: object; total: number }
  /** Sets of columns for what the file is usually needed for. */
  sets?: readonly ExportSet[]
  /** The columns of the file where the operation writes more than one kind; else those of the document. */
  columns?: readonly string[]
}

interface AskProps extends ExportButtonProps {
  /** The saved view that is open: its columns are what is wanted first. */
  view: SavedView | undefined
  loading: boolean
  onExport: (wish: Wish) => void
  onClose: () => void
}

/** Which columns, whether whole numbers and why, how many rows: asked before a file leaves. */
const Ask = ({ do: operation, table, sets = [], columns, view, loading, onExport, onClose }: AskProps) => {
  const person = useIdentity((state) => state.account?.userId)
  const allowed = useAllowed()
  const shown = useShownColumns()?.titles ?? []
  const sheet = columns ?? operation.sheet?.columns ?? []
  const key = `export.${person}.${operation.id}`
  const [choice, setChoice] = useState<ExportChoice>(() => {
    if (view && view.columns.length > 0) return { set: SHOWN, columns: [] }
    const kept = readChoice(key)
    const known = kept && [ALL, OWN, SHOWN, ...sets.map(({ name }) => name)].includes(kept.set)
    return known ? kept : { set: ALL, columns: [] }
  })
  const [whole, setWhole] = useState(false)
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const headings = headingsOf(choice, sheet, shown, sets)
  const mayWhole = operation.sheet?.whole !== undefined && allowed({ ...operation, permission: operation.sheet.whole })
  const wrongReason = whole && [...reason.trim()].length < LEAST_REASON
  const choices = [
    ...(shown.length > 0 ? [{ value: SHOWN, label: '显示的列' }] : []),
    { value: ALL, label: '全部列' },
    ...sets.map(({ name }) => ({ value: name, label: name })),
    { value: OWN, label: '自选' },
  ]
  const send = () => {
    setAsked(true)
    if (wrongReason || headings.length === 0) return
    if (!view) localStorage.setItem(key, JSON.stringify(choice))
    onExport({
      ...(choice.set === ALL ? {} : { columns: headings.join(',') }),
      ...(whole ? { whole, reason: reason.trim() } : {}),
    })
  }
  return (
    <Modal
      title={view ? `${operation.title} ${view.name}` : operation.title}
      style={{ width: 560 }}
      visible
      okText={`导出${formatNumber(table.total)}条`}
      cancelText="取消"
      confirmLoading={loading}
      okButtonProps={{ disabled: headings.length === 0 || table.total === 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <Radio.Group
        type="button"
        name="columns"
        aria-label="导出的列"
        className="export-sets"
        value={choice.set}
        options={choices}
        onChange={(set: string) => setChoice({ set, columns: set === OWN ? headings : choice.columns })}
      />
      <fieldset className="export-columns" aria-label={`将导出${headings.length}列`}>
        {sheet.map((heading) => (
          <Checkbox
            key={heading}
            checked={headings.includes(heading)}
            onChange={(on) =>
              setChoice({
                set: OWN,
                columns: on ? [...headings, heading] : headings.filter((other) => other !== heading),
              })
            }
          >
            {heading}
          </Checkbox>
        ))}
      </fieldset>
      {mayWhole && (
        <>
          <Checkbox checked={whole} onChange={setWhole}>
            证件号、手机等显示完整内容（记入日志）
          </Checkbox>
          {whole && (
            <div className="export-reason">
              <Input
                aria-label="用途"
                placeholder="用途，例如 学信网注册"
                maxLength={MOST_REASON}
                value={reason}
                error={asked && wrongReason}
                onChange={setReason}
              />
              {asked && wrongReason && <p role="alert">请填写用途，至少{LEAST_REASON}个字</p>}
            </div>
          )}
        </>
      )}
    </Modal>
  )
}

/** The saved view that a list shows. */
const useOpenView = (list: string | undefined) => {
  const [search] = useSearchParams()
  return useSavedViews().data?.find((view) => view.list === list && String(view.id) === search.get('view'))
}

/** Exports what the list shows, with its filters: at once as a file, or as a job when it is long. */
export const ExportButton = ({ do: operation, table, sets, columns }: ExportButtonProps) => {
  const request = useRequest()
  const named = useNamed()
  const [open, setOpen] = useState(false)
  const list = useShownColumns()?.list
  const view = useOpenView(list)
  const offers = useAllowed()(operation) && operation.sheet !== undefined
  const asked = useViewExport((state) => state.wanted)
  useEffect(() => (offers && list ? offerExport(list) : undefined), [offers, list])
  // A view is opened to be exported: the first export of its list takes it up.
  const wanted = offers && asked !== undefined && asked === view?.id
  useEffect(() => {
    if (!wanted || useViewExport.getState().wanted === undefined) return
    useViewExport.setState({ wanted: undefined })
    setOpen(true)
  }, [wanted])
  // What the export does not take, the order of the columns, stays behind.
  const body = Object.fromEntries(Object.entries(table.body ?? {}).filter(([name]) => name in operation.fields))
  const exporting = useMutation({
    mutationFn: async (wish: Wish) => {
      const masked = operation.sheet?.whole && !wish.whole ? '，证件号、手机等已隐藏' : ''
      if (table.total <= JOB_ABOVE) {
        const called = view && `${view.name}.xlsx`
        await download(operation, named(operation, { query: wish, body }), `${operation.title}.xlsx`, called)
        tellSuccess(`已导出${formatNumber(table.total)}条${masked}`)
        return
      }
      const started: Operation<unknown, unknown, unknown> = operation
      await request(started, { query: { ...wish, job: true }, body })
      tellSuccess(`共${formatNumber(table.total)}条，正在导出，完成后请在任务中心下载`)
      refetchAll()
    },
    onSuccess: () => setOpen(false),
  })
  return (
    <Can do={operation}>
      <Button
        icon={<IconDownload />}
        disabled={table.total === 0}
        loading={exporting.isPending}
        title={table.total === 0 ? '没有可导出的记录' : undefined}
        onClick={() => (operation.sheet ? setOpen(true) : exporting.mutate({}))}
      >
        导出
      </Button>
      {open && (
        <Ask
          do={operation}
          table={table}
          sets={sets}
          columns={columns}
          view={view}
          loading={exporting.isPending}
          onExport={exporting.mutate}
          onClose={() => setOpen(false)}
        />
      )}
    </Can>
  )
}
