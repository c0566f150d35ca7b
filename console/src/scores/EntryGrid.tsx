import { Alert, Button, Descriptions, Form, Input } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { DataOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { EvidenceFiles } from '@/exams/Evidence'
import { itemOf } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { show } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { FilesInput } from '@/kit/FilesInput'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime, points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { useSaveKey } from '@/kit/useDraftForm'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import {
  enterScores,
  fetchScoreSheetImportTemplate,
  importScoreSheets,
  listOfflineScores,
  listScoreSheetRows,
  listScoreSheets,
  printScoreSheets,
  scanScoreSheet,
  submitScoreSheets,
  viewScoreSheet,
} from './api'
import {
  entriesOf,
  mayType,
  missing,
  nextRow,
  type Row,
  refusalOf,
  type Typed,
  textOf,
  without,
  withText,
} from './entryRules'
import { can, markTones, sheetName, sheetTones } from './scoreWords'
import './scores.css'

type SheetView = DataOf<typeof viewScoreSheet>

interface GridProps {
  sheet: SheetView
  rows: readonly Row[]
}

/** 上传签字扫描件: they take the place of those before. */
const ScanForm = ({ record: sheet, ...drawer }: DrawerProps<SheetView>) => (
  <FormDrawer<{ fileKeys?: string[] }, Saved>
    {...drawer}
    record={undefined}
    title={`上传签字扫描件 ${sheet?.sheetNo ?? ''}`}
    okText="上传"
    action={() => formAction(scanScoreSheet, '已上传签字扫描件', sheet && itemOf(sheet))}
  >
    <Form.Item
      field="fileKeys"
      label="扫描件"
      required
      rules={[{ required: true, type: 'array', minLength: 1, message: '请上传扫描件' }]}
      extra="打印并签字的登记表，PDF或图片；替换原有的"
    >
      <FilesInput by={({ key }) => key} purpose="exam" accept=".pdf,.jpg,.jpeg,.png" aria-label="扫描件" />
    </Form.Item>
  </FormDrawer>
)

const boxOf = (id: number) => document.querySelector<HTMLInputElement>(`input[data-entry="${id}"]`)

/** One row: what stands beside the score is read only. */
const Line = ({
  row,
  text,
  refused,
  editable,
  onText,
  onKey,
  onLeave,
}: {
  row: Row
  text: string
  refused: string | undefined
  editable: boolean
  onText: (text: string) => void
  onKey: (event: KeyboardEvent) => void
  onLeave: () => void
}) => {
  const wrong = refusalOf(text, row.paperTotal) ?? refused
  const changed = text.trim() !== textOf(row)
  const mark = row.mark && row.mark !== 'normal' && (
    <Word tone={markTones[row.mark]}>{labelOf(listOfflineScores, 'mark', row.mark)}</Word>
  )
  return (
    <tr>
      <td className="number">{row.seatNo ?? '—'}</td>
      <td>{row.studentNo ?? '—'}</td>
      <th scope="row">{row.name}</th>
      <td>{labelOf(listOfflineScores, 'round', row.round)}</td>
      <td className="number">{points(row.study)}</td>
      <td className="number">{points(row.homework)}</td>
      <td className="number">{points(row.attendance)}</td>
      <td className="number">{points(row.questions)}</td>
      <td>
        {editable && mayType(row) ? (
          <Input
            data-entry={row.id}
            size="mini"
            aria-label={`${row.name}卷面分`}
            aria-invalid={wrong !== undefined}
            title={wrong}
            className={wrong ? 'score-refused' : changed ? 'score-typed' : undefined}
            inputMode="decimal"
            value={text}
            onChange={onText}
            onKeyDown={onKey}
            onBlur={onLeave}
          />
        ) : (
          textOf(row) || '—'
        )}
      </td>
      <td>
        {row.excluded ? <Word>不计</Word> : mark}
        {wrong && <span role="alert">{wrong}</span>}
      </td>
      <td>{row.formerText ?? '—'}</td>
      <td>{row.text || '—'}</td>
      <td>{row.passed === null || row.passed === undefined ? '—' : row.passed ? '是' : '否'}</td>
    </tr>
  )
}

const HEADS = [
  '座位号',
  '学号',
  '姓名',
  '性质',
  '学习',
  '作业',
  '考勤',
  '答疑',
  '卷面分',
  '特殊情况',
  '原成绩',
  '总评预览',
  '及格',
]

/** The grid in which a sheet is filled: Enter or ↓ goes on and saves the row that is left. */
const Grid = ({ sheet, rows }: GridProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [typed, setTyped] = useState<Typed>(new Map())
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map())
  const [refusal, setRefusal] = useState<string>()
  const whole = useRef<HTMLElement>(null)
  const latest = useRef({ typed, rows })
  latest.current = { typed, rows }
  const editable = allowed(enterScores) && can.enter(sheet) === undefined
  useUnsaved(typed.size > 0)
  const saving = useMutation({
    mutationFn: async (sent: Typed) => ({
      sent,
      answer: await request(enterScores, { body: { rows: entriesOf(sent, latest.current.rows) } }),
    }),
    onSuccess: async ({ sent, answer }) => {
      const failed = new Map(answer.failed.map(({ id, msg }) => [id, msg]))
      setRefused(failed)
      setTyped((before) => without(before, sent, new Set(failed.keys())))
      // Whoever was there at the same time left newer values and versions.
      await refetchAll()
    },
  })
  const save = (only?: number) => {
    const { typed: now, rows: shown } = latest.current
    const sent: Typed = only === undefined ? now : new Map([...now].filter(([id]) => id === only))
    if (!saving.isPending && entriesOf(sent, shown).length > 0) saving.mutate(sent)
  }
  useSaveKey(editable, () => save())
  // What is typed while a row is being saved goes after it.
  const waiting = editable && !saving.isPending && !saving.isError && typed.size > 0
  useEffect(() => {
    if (!waiting) return
    const focused =
      document.activeElement instanceof HTMLInputElement ? document.activeElement.dataset.entry : undefined
    const { typed: now, rows: shown } = latest.current
    const left = new Map([...now].filter(([id]) => String(id) !== focused && !refused.has(id)))
    if (entriesOf(left, shown).length > 0) saving.mutate(left)
  }, [waiting, refused, saving.mutate])
  const go = (id: number, by: 1 | -1) => {
    const next = nextRow(rows, id, by)
    if (next === undefined) return
    const box = boxOf(next)
    box?.focus()
    box?.select()
  }
  const submit = useAction(submitScoreSheets, {
    done: ({ done }) => (done > 0 ? '已提交登记表，等待初审' : undefined),
    onDone: ({ failed }) => setRefusal(failed[0]?.msg),
  })
  const printing = useFileOf(printScoreSheets)
  const scan = useDrawer<SheetView>()
  const left = missing(rows).length
  const doubted = sheet.doubts
  const send = async () => {
    if (typed.size > 0) return setRefusal('还有没有保存的成绩')
    const sure = await confirm({
      title: `提交登记表“${sheet.sheetNo}”？`,
      content: doubted.length > 0 ? `请核对：${doubted.join('；')}。提交后须退回才能修改。` : '提交后须退回才能修改。',
      okText: '提交',
    })
    if (sure) submit.mutate({ body: { items: [itemOf(sheet)] } })
  }
  return (
    <>
      <Descriptions
        column={4}
        data={[
          { key: 'status', label: '状态', value: show(listScoreSheets, 'status', sheet.status, sheetTones) },
          { key: 'teacher', label: '录入人', value: sheet.teacherName ?? '未分配' },
          {
            key: 'count',
            label: '已录/应录',
            value: `${formatNumber(sheet.enteredCount)} / ${formatNumber(sheet.totalCount)}，缺考${formatNumber(sheet.absentCount)}`,
          },
          {
            key: 'until',
            label: '录入截止',
            value: sheet.entryEndsAt
              ? `${formatTime(sheet.entryEndsAt)}${sheet.extendReason ? `（延长：${sheet.extendReason}）` : ''}`
              : '—',
          },
        ]}
      />
      {sheet.returnReason && sheet.status === 'returned' && (
        <Alert type="warning" content={`退回原因：${sheet.returnReason}`} />
      )}
      {refusal && <Alert type="warning" content={refusal} />}
      {doubted.length > 0 && <Alert type="info" content={`请核对：${doubted.join('；')}`} />}
      <div className="score-entry">
        {editable && (
          <Button
            type="primary"
            title="Ctrl+S"
            loading={saving.isPending}
            disabled={typed.size === 0}
            onClick={() => save()}
          >
            保存{typed.size > 0 ? `${formatNumber(typed.size)}行` : ''}
          </Button>
        )}
        {can.enter(sheet) === undefined && (
          <Can do={submitScoreSheets}>
            <Button loading={submit.isPending} onClick={send}>
              提交
            </Button>
          </Can>
        )}
        {editable && (
          <ImportButton
            do={importScoreSheets}
            template={fetchScoreSheetImportTemplate}
            what="本表成绩"
            label="导入本表"
            query={{ sheetId: sheet.id }}
          />
        )}
        <Can do={printScoreSheets}>
          <Button
            loading={printing.isPending}
            onClick={() =>
              printing.mutate({ input: { body: { ids: [sheet.id] } }, name: `成绩登记表_${sheet.sheetNo}.pdf` })
            }
          >
            打印登记表
          </Button>
        </Can>
        <Can do={scanScoreSheet}>
          <Button onClick={() => scan.open(sheet)}>上传签字扫描件</Button>
        </Can>
        <span aria-live="polite">
          {left > 0 ? `还有${formatNumber(left)}名学生未录入` : '全部已录入'}
          {saving.isError && `；${messageOf(saving.error)}`}
        </span>
      </div>
      {sheet.files.length > 0 && <EvidenceFiles label="签字扫描件" files={sheet.files} />}
      <ScanForm key={scan.key} {...scan.props} />
      {editable && <p className="form-hint">回车或↓到下一名并保存，↑回到上一名；缺考输入“缺考”或 q。</p>}
      <section ref={whole} className="score-grid" aria-label="成绩录入" tabIndex={-1}>
        <table>
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line
                key={row.id}
                row={row}
                editable={editable}
                text={typed.get(row.id) ?? textOf(row)}
                refused={refused.get(row.id)}
                onText={(text) => {
                  setTyped((before) => withText(before, row, text))
                  setRefused((before) => new Map([...before].filter(([id]) => id !== row.id)))
                }}
                onKey={(event) => {
                  const by =
                    event.key === 'ArrowUp' ? -1 : event.key === 'Enter' || event.key === 'ArrowDown' ? 1 : undefined
                  if (by === undefined || event.nativeEvent.isComposing) return
                  event.preventDefault()
                  if (nextRow(rows, row.id, by) !== undefined) go(row.id, by)
                  // Behind the last row it is left, and saved even while the one before is on its way.
                  else if (by > 0) whole.current?.focus()
                }}
                onLeave={() => save(row.id)}
              />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** A sheet with its rows, to be filled or read. */
export const EntryGrid = ({ sheetId }: { sheetId: number }) => {
  const request = useRequest()
  const sheet = useQuery({
    queryKey: [viewScoreSheet.path, sheetId],
    queryFn: ({ signal }) => request(viewScoreSheet, { query: { id: sheetId } }, { signal }),
  })
  const rows = useQuery({
    queryKey: [listScoreSheetRows.path, sheetId],
    queryFn: ({ signal }) => request(listScoreSheetRows, { query: { sheetId } }, { signal }),
  })
  return (
    <Loaded query={sheet}>
      {(held) => (
        <>
          <h2>
            {sheetName(held)} <small>{held.sheetNo}</small>
          </h2>
          <Loaded query={rows}>{({ list }) => <Grid sheet={held} rows={list} />}</Loaded>
        </>
      )}
    </Loaded>
  )
}
