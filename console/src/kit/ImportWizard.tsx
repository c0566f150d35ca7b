import { Alert, Button, Checkbox, Modal, Result, Space, Steps, Table, Upload } from '@arco-design/web-react'
import { IconImport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { LooseInput } from '@/api/client'
import { download } from '@/api/files'
import type { Operation } from '@/api/operation'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from './Can'
import { formatNumber } from './format'
import { ImportRunsDrawer } from './ImportRuns'
import { Errors, type ImportResult, MANY_ROWS, Running, saveErrors, useImportRun, Warnings } from './importRun'

interface ImportButtonProps<Query = undefined> {
  do: Operation<unknown, FormData, ImportResult>
  /** None where the sheet comes from another system; `what` then says which columns it has. */
  template?: Operation<Query, undefined, Blob>
  /** The record whose own words the template offers in its lists. */
  templateOf?: Query
  /** What is uploaded where it is no sheet, and what it looks like. */
  files?: { accept: string; tip: string; form: ReactNode }
  /** What is imported, in words: 站点. */
  what: string
  /** The button's words, where a page has several imports. */
  label?: string
  /** The words of a box that, when ticked, also updates what is there already (`mode=upsert`). */
  update?: string
  /** What goes with the file: the record into which is imported. */
  fields?: Readonly<Record<string, string>>
  /** The same where the operation asks for it in its address. */
  query?: Readonly<Record<string, string | number>>
  /** What is chosen before the file, where the page does not say it already; `fields` and `templateOf` follow from it. */
  first?: ReactNode
  /** Why there can be no file yet. */
  missing?: string
  /** Shows what was imported, by the moment at which it was. */
  batch?: (enteredAt: string) => void
}

/** The sheet to be checked, or to be written when it still is the one that was checked. */
interface Sheet {
  file: File
  checked: string | null
  updates: boolean
  fields: Readonly<Record<string, string>>
}

const formOf = ({ file, checked, updates, fields }: Sheet) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  if (updates) form.set('mode', 'upsert')
  if (checked) form.set('sha256', checked)
  else form.set('dryRun', 'true')
  return form
}

const useSheetRun = ({ do: operation, query }: Pick<ImportButtonProps, 'do' | 'query'>) => {
  const request = useRequest()
  return useImportRun((sheet: Sheet) => {
    const input: LooseInput = { query, body: formOf(sheet) }
    return request(operation, input)
  })
}
/** How high a table of the dialog is. */
const ERRORS_PX = 240
const ON = '可以关闭窗口去做别的事，进度在任务中心查看。'

/** What is new and what changes, before anything is written. */
export const Differences = ({ rows }: { rows: NonNullable<ImportResult['differences']> }) => {
  const added = rows.filter(({ column }) => !column).length
  const changed = new Set(rows.filter(({ column }) => column).map(({ row }) => row)).size
  return (
    <>
      <Alert
        type="info"
        content={`新增${formatNumber(added)}条，修改${formatNumber(changed)}条，其余与现有内容相同；文件中没有的保持不变。`}
      />
      <Table
        className="import-errors"
        size="small"
        rowKey="key"
        data={rows.map((row, key) => ({ key, ...row }))}
        virtualized={rows.length > MANY_ROWS}
        pagination={false}
        scroll={{ y: ERRORS_PX }}
        columns={[
          { title: '行', dataIndex: 'row', width: 70 },
          { title: '记录', dataIndex: 'name', width: 200 },
          { title: '列', dataIndex: 'column', width: 100, render: (column: string) => column || '新增' },
          { title: '现有内容', dataIndex: 'before' },
          { title: '导入内容', dataIndex: 'after' },
        ]}
      />
    </>
  )
}

/** How many columns of an effect stand open; so many values of each. */
const VALUES_SHOWN = 8

/** Where the rows go, before anything is written: how many to each site, major, class and state. */
export const Effect = ({ counts }: { counts: NonNullable<ImportResult['effect']> }) => (
  <dl className="import-effect" aria-label="导入的影响">
    {[...new Set(counts.map(({ column }) => column))].map((column) => {
      const values = counts.filter((each) => each.column === column).sort((a, b) => b.count - a.count)
      return (
        <div key={column} className="effect-line">
          <dt>{column}</dt>
          <dd>
            {values
              .slice(0, VALUES_SHOWN)
              .map(({ value, count }) => `${value || '未填'} ${formatNumber(count)}`)
              .join('，')}
            {values.length > VALUES_SHOWN && `，另有${formatNumber(values.length - VALUES_SHOWN)}种`}
          </dd>
        </div>
      )
    })}
  </dl>
)

const steps = ['上传文件', '检查', '完成'] as const

const skippedWords = (skipped: number | undefined) => (skipped ? `，跳过重复的${formatNumber(skipped)}行` : '')

/** Of a file whose repeated rows are left out, those that were written. */
const importedWords = (answer: ImportResult | undefined, total: number) =>
  answer?.skipped
    ? `已导入${formatNumber(answer.imported)}行${skippedWords(answer.skipped)}`
    : `已导入${formatNumber(total)}行`

/** 导入: template, upload, dry run, confirmation, result. Nothing is written unless every row is right. */
export const ImportButton = <Query,>(props: ImportButtonProps<Query>) => {
  const { do: operation, template, templateOf, files, what, label = '导入', update, fields = {} } = props
  const { first, missing, batch } = props
  const [open, setOpen] = useState(false)
  const [runs, setRuns] = useState(false)
  const [updates, setUpdates] = useState(false)
  const [file, setFile] = useState<File>()
  const check = useSheetRun(props)
  const real = useSheetRun(props)
  const named = useNamed()
  const templating = useMutation({
    mutationFn: async () =>
      template && download(template, named(template, { query: templateOf }), `${what}导入模板.xlsx`),
  })
  const step = real.isOver || real.isRunning ? 3 : file ? 2 : 1
  const checked = check.isOver && !check.failed && check.answer?.sha256
  const restart = () => {
    setFile(undefined)
    check.forget()
    real.forget()
  }
  const close = () => {
    setOpen(false)
    restart()
  }
  const footer = (
    <div className="import-footer">
      <Button
        type="text"
        onClick={() => {
          close()
          setRuns(true)
        }}
      >
        导入记录
      </Button>
      <Space>
        <Button onClick={close}>{step === 3 ? '关闭' : '取消'}</Button>
        {step === 2 && check.isOver && check.failed && (
          <Button onClick={() => saveErrors(check, `${what}导入错误表.csv`)}>下载错误表</Button>
        )}
        {(step === 2 && check.isOver) || (step === 3 && real.isOver) ? (
          <Button onClick={restart}>{step === 3 && !real.failed ? '继续导入' : '重新上传'}</Button>
        ) : null}
        {step === 3 && real.isOver && !real.failed && batch && real.enteredAt && (
          <Button
            type="primary"
            onClick={() => {
              if (real.enteredAt) batch(real.enteredAt)
              close()
            }}
          >
            查看这批
          </Button>
        )}
        {step === 2 && checked && file && (
          <Button type="primary" onClick={() => real.start({ file, checked, updates, fields })}>
            确认导入{formatNumber(check.total)}行
          </Button>
        )}
      </Space>
    </div>
  )
  return (
    <Can do={operation}>
      <Button icon={<IconImport />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal title={`导入${what}`} style={{ width: 720 }} visible={open} onCancel={close} footer={footer} unmountOnExit>
        <Steps className="import-steps" size="small" current={step}>
          {steps.map((title) => (
            <Steps.Step key={title} title={title} />
          ))}
        </Steps>
        {step === 1 && (
          <>
            {first && <div className="form-lead">{first}</div>}
            {template ? (
              <p>
                请先
                <Button
                  type="text"
                  disabled={missing !== undefined}
                  loading={templating.isPending}
                  onClick={() => templating.mutate()}
                >
                  下载模板
                </Button>
                ，按模板填写后上传。全部检查通过后才会写入。
              </p>
            ) : (
              files?.form
            )}
            {update && (
              <p className="form-lead">
                <Checkbox checked={updates} onChange={setUpdates}>
                  {update}
                </Checkbox>
              </p>
            )}
            <Upload
              drag
              accept={files?.accept ?? '.xlsx'}
              limit={1}
              autoUpload={false}
              showUploadList={false}
              disabled={missing !== undefined}
              tip={missing ?? files?.tip ?? '只支持 .xlsx 文件，最多 100,000 行'}
              onChange={(list) => {
                const chosen = list.at(-1)?.originFile
                if (!chosen) return
                setFile(chosen)
                check.start({ file: chosen, checked: null, updates, fields })
              }}
            />
          </>
        )}
        {step === 2 && check.isRunning && <Running run={check} words="正在检查" meanwhile={ON} />}
        {step === 2 && check.isOver && check.failed && <Errors run={check} height={ERRORS_PX} />}
        {step === 2 && check.isOver && !check.failed && (
          <>
            <Result
              status="success"
              title={`检查通过，共${formatNumber(check.total)}行${skippedWords(check.answer?.skipped)}`}
              subTitle={`文件：${file?.name}。确认后写入。`}
            />
            {check.effect.length > 0 && <Effect counts={check.effect} />}
            <Warnings run={check} height={ERRORS_PX} />
            {check.differences.length > 0 && <Differences rows={check.differences} />}
          </>
        )}
        {step === 3 && real.isRunning && <Running run={real} words="正在导入" meanwhile={ON} />}
        {step === 3 && real.isOver && real.failed && <Errors run={real} height={ERRORS_PX} />}
        {step === 3 && real.isOver && !real.failed && (
          <>
            <Result status="success" title={real.message || importedWords(real.answer, real.total)} />
            <Warnings run={real} height={ERRORS_PX} />
          </>
        )}
      </Modal>
      <ImportRunsDrawer open={runs} onClose={() => setRuns(false)} />
    </Can>
  )
}
