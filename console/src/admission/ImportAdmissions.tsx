import { Alert, Button, Modal, Radio, Result, Select, Space, Steps, Table, Upload } from '@arco-design/web-react'
import { IconImport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { AdmissionImportMode } from '@/api/types/admission'
import type { EnrollmentColumn, EnrollmentField } from '@/api/types/shared'
import { BatchSelect } from '@/enrolment/BatchSelect'
import { Meaning, useFieldNames } from '@/enrolment/Meaning'
import { type Coded, coded, columnsRefusal, fields, sentColumns, sources, withColumn } from '@/enrolment/mappingFields'
import { useOpenBatch } from '@/enrolment/openBatch'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatNumber, formatTime } from '@/kit/format'
import { Differences, Effect } from '@/kit/ImportWizard'
import { Errors, Running, saveErrors, useImportRun, Warnings } from '@/kit/importRun'
import { importAdmissions, inspectAdmissionFile } from './api'
import {
  byField,
  codesRefusal,
  columnsToBegin,
  type Found,
  isInspected,
  keyOf,
  type Meanings,
  type MetCode,
  meaningOf,
  samplesOf,
  sentMeanings,
  writtenWords,
} from './importMap'
import './admission.css'

const WIDTH = 900
const ERRORS_PX = 240
const ON = '可以关闭窗口去做别的事，进度在任务中心查看。'

const steps = ['file', 'columns', 'codes', 'check', 'done'] as const
type Step = (typeof steps)[number]
const stepNames: Record<Step, string> = {
  file: '选择文件',
  columns: '对应字段',
  codes: '对应代码',
  check: '检查',
  done: '完成',
}

const modes: readonly (readonly [mode: AdmissionImportMode, label: string, help: string])[] = [
  ['insert', '只新增', '考生号已存在且数据不同的会报错，不改动已有的录取数据'],
  ['update', '新增并更新', '招办修订名单时使用：已存在的按文件更新，已审核的不能覆盖，逐项列出差异后再确认'],
]

/** What refuses is told in the dialog, not in passing. */
const quiet = { quiet: (refusal: ApiError) => refusal.code === 409 || refusal.code === 422 }
const toldHere = (error: unknown) => (error instanceof ApiError ? messageOf(error) : undefined)

/** All that somebody said; it stays when they go back, and for the next file. */
interface Said {
  batchId?: number
  mode: AdmissionImportMode
  file?: File
  columns: EnrollmentColumn[]
  meanings: Meanings
}

const nothingSaid: Said = { mode: 'insert', columns: [], meanings: new Map() }

interface Sent extends Said {
  met: readonly MetCode[]
  checked?: string
}

const importForm = ({ batchId, mode, file, columns, meanings, met, checked }: Sent) => {
  const form = new FormData()
  form.set('batchId', String(batchId))
  if (file) form.set('file', file)
  form.set('mode', mode)
  form.set('columnMap', JSON.stringify(sentColumns(columns)))
  form.set('valueMaps', JSON.stringify(sentMeanings(met, meanings)))
  if (checked) form.set('sha256', checked)
  else form.set('dryRun', 'true')
  return form
}

interface Inspected {
  batchId: number
  file: File
  columns?: readonly EnrollmentColumn[]
}

const inspectForm = ({ batchId, file, columns }: Inspected) => {
  const form = new FormData()
  form.set('batchId', String(batchId))
  form.set('file', file)
  if (columns) form.set('columnMap', JSON.stringify(sentColumns(columns)))
  return form
}

const isNeeded = (field: EnrollmentField) => sources[field].required === true

interface ColumnsProps {
  found: Found
  /** What the server proposed: the batch goes on reading these fields, though another column may be chosen. */
  proposed: ReadonlySet<EnrollmentField>
  columns: EnrollmentColumn[]
  onChange: (columns: EnrollmentColumn[]) => void
}

/** 对应字段: in which column of this file each field stands, beside what stands there. */
const Columns = ({ found, proposed, columns, onChange }: ColumnsProps) => {
  const nameOf = useFieldNames()
  const columnOf = (field: EnrollmentField) => columns.find((each) => each.field === field)?.column
  return (
    <Table
      size="small"
      rowKey="field"
      border={{ wrapper: true }}
      pagination={false}
      scroll={{ y: 360 }}
      data={fields.map((field) => ({ field }))}
      columns={[
        { title: '字段', dataIndex: 'field', width: 140, render: (field: EnrollmentField) => nameOf(field) },
        {
          title: '必需',
          dataIndex: 'needed',
          width: 60,
          render: (_: unknown, { field }: { field: EnrollmentField }) => (isNeeded(field) ? '必需' : ''),
        },
        {
          title: '文件中的列',
          dataIndex: 'column',
          width: 220,
          render: (_: unknown, { field }: { field: EnrollmentField }) => (
            <Select
              aria-label={`${nameOf(field)} 文件中的列`}
              placeholder={isNeeded(field) ? '请选择' : '不读取'}
              showSearch
              allowClear={!proposed.has(field)}
              error={isNeeded(field) && !columnOf(field)}
              value={columnOf(field)}
              options={found.columns}
              onChange={(column: string | undefined) => onChange(withColumn(columns, field, column ?? ''))}
            />
          ),
        },
        {
          title: '文件中的内容',
          dataIndex: 'sample',
          render: (_: unknown, { field }: { field: EnrollmentField }) => (
            <span className="import-sample">{samplesOf(found, columnOf(field)).join('、')}</span>
          ),
        },
      ]}
    />
  )
}

const isCoded = (field: EnrollmentField): field is Coded => coded.some((each) => each === field)

interface CodesProps {
  met: readonly MetCode[]
  meanings: Meanings
  onChange: (meanings: Meanings) => void
}

/** 对应代码: what the codes mean that this file has. */
const Codes = ({ met, meanings, onChange }: CodesProps) => {
  const nameOf = useFieldNames()
  if (met.length === 0) return <p className="form-hint">文件中没有需要对应的代码。</p>
  return (
    <div className="import-codes">
      {byField(met).map(([field, codes]) => (
        <section key={field} aria-label={`${nameOf(field)}代码`}>
          <h4>{nameOf(field)}</h4>
          {field === 'level' && (
            <p className="form-hint">各省的层次代码不同，请核对每个代码对应的层次；确认后本批次以后的文件沿用。</p>
          )}
          <Table
            size="small"
            rowKey="code"
            border={{ wrapper: true }}
            pagination={{ pageSize: 20, hideOnSinglePage: true }}
            data={codes}
            columns={[
              { title: '代码', dataIndex: 'code', width: 140 },
              { title: '行数', dataIndex: 'count', width: 90, align: 'right', render: formatNumber },
              {
                title: '对应值',
                dataIndex: 'value',
                render: (_: unknown, code: MetCode) =>
                  isCoded(field) && (
                    <Meaning
                      field={field}
                      aria-label={`${nameOf(field)}代码${code.code}对应值`}
                      disabled={false}
                      value={meaningOf(code, meanings)}
                      onChange={(value) => {
                        const after = new Map(meanings)
                        if (value === undefined) after.delete(keyOf(code))
                        else after.set(keyOf(code), value)
                        onChange(after)
                      }}
                    />
                  ),
              },
            ]}
          />
        </section>
      ))}
    </div>
  )
}

type Run = ReturnType<typeof useImportRun<Sent, DataOf<typeof importAdmissions>>>

/** What a dry run says. */
const Checked = ({ run, mode }: { run: Run; mode: AdmissionImportMode }) => {
  if (run.isRunning) return <Running run={run} words="正在检查" meanwhile={ON} />
  if (!run.isOver) return null
  if (run.failed) return <Errors run={run} height={ERRORS_PX} />
  const counts = run.answer ? writtenWords(run.answer) : ''
  return (
    <>
      <Result
        status="success"
        title={`检查通过，共${formatNumber(run.total)}行`}
        subTitle={[counts, '确认后写入，并按证件号、考生号匹配预报名。'].filter(Boolean).join('；')}
      />
      {run.effect.length > 0 && <Effect counts={run.effect} />}
      <Warnings run={run} height={ERRORS_PX} />
      {mode === 'update' && run.differences.length > 0 && <Differences rows={run.differences} />}
    </>
  )
}

const Done = ({ run }: { run: Run }) => {
  if (run.isRunning) return <Running run={run} words="正在导入" meanwhile={ON} />
  if (!run.isOver) return null
  if (run.failed) return <Errors run={run} height={ERRORS_PX} />
  const counts = run.answer ? writtenWords(run.answer) : ''
  return (
    <>
      <Result
        status="success"
        title={run.message || `已导入${formatNumber(run.total)}行`}
        subTitle={[counts, '未匹配和有冲突的请在列表中重新匹配或手工匹配。'].filter(Boolean).join('；')}
      />
      <Warnings run={run} height={ERRORS_PX} />
    </>
  )
}

interface ImportAdmissionsProps {
  /** The batch that the list shows, else the open one. */
  shown: number | undefined
  /** Shows whom the batch has. */
  onShow: (batchId: number) => void
}

/** 导入录取数据: the authority's file, what its columns and codes mean, a dry run, and then all of it or nothing (02 §6.4). */
export const ImportAdmissions = ({ shown, onShow }: ImportAdmissionsProps) => {
  const request = useRequest()
  const nameOf = useFieldNames()
  const [open, setOpen] = useState(false)
  const [step, setStep] = useState<Step>('file')
  const [said, setSaid] = useState(nothingSaid)
  const [found, setFound] = useState<Found>()
  const [proposed, setProposed] = useState<ReadonlySet<EnrollmentField>>(new Set())
  const [refusal, setRefusal] = useState<string>()
  const say = (part: Partial<Said>) => setSaid((before) => ({ ...before, ...part }))
  const begin = useOpenBatch(open)
  const batchId = said.batchId ?? shown ?? begin.running

  const inspecting = useMutation({
    mutationFn: (file: Inspected) => request(inspectAdmissionFile, { body: inspectForm(file) }, quiet),
    onMutate: () => setRefusal(undefined),
    onError: (error) => setRefusal(toldHere(error)),
  })
  const send = async (sent: Sent) => {
    setRefusal(undefined)
    try {
      return await request(importAdmissions, { body: importForm(sent) }, quiet)
    } catch (error) {
      setRefusal(toldHere(error))
      throw error
    }
  }
  const check = useImportRun(send)
  const real = useImportRun(send)

  /** Looks into a file; what was said of one before it stays, where it has the same columns. */
  const inspect = (file: File, batch: number) => {
    setFound(undefined)
    inspecting.mutate(
      { batchId: batch, file },
      {
        onSuccess: (inspected) => {
          setFound(inspected)
          setProposed(new Set(inspected.proposedMap.map(({ field }) => field)))
          say({ columns: columnsToBegin(inspected, said.columns) })
        },
      },
    )
  }
  const take = (file: File) => {
    say({ file })
    if (batchId !== undefined) inspect(file, batchId)
  }
  const takeBatch = (batch: number | undefined) => {
    say({ batchId: batch })
    if (batch !== undefined && said.file) inspect(said.file, batch)
  }
  const go = (to: Step) => {
    setRefusal(undefined)
    check.forget()
    setStep(to)
  }
  const toCodes = () => {
    const wrong = columnsRefusal(said.columns, nameOf)
    if (wrong) return setRefusal(wrong)
    if (!found || !said.file || batchId === undefined) return
    if (isInspected(found, said.columns)) return go('codes')
    inspecting.mutate(
      { batchId, file: said.file, columns: said.columns },
      {
        onSuccess: (inspected) => {
          setFound(inspected)
          go('codes')
        },
      },
    )
  }
  const toCheck = () => {
    if (!found) return
    const wrong = codesRefusal(found.codesMet, said.meanings, nameOf)
    if (wrong) return setRefusal(wrong)
    go('check')
    check.start({ ...said, batchId, met: found.codesMet })
  }
  const toDone = (checked: string) => {
    if (!found) return
    setRefusal(undefined)
    setStep('done')
    real.start({ ...said, batchId, met: found.codesMet, checked })
  }
  const restart = () => {
    setStep('file')
    setSaid({ ...nothingSaid, batchId: said.batchId, mode: said.mode, columns: said.columns, meanings: said.meanings })
    setFound(undefined)
    setRefusal(undefined)
    check.forget()
    real.forget()
  }
  const close = async () => {
    const loses = found && !found.importedAt && step !== 'done' && !check.isRunning
    const question = { title: '放弃导入？', content: '还没有写入数据，已选择的字段和代码不会保留。', okText: '放弃' }
    if (loses && !(await confirm(question))) return
    setOpen(false)
    restart()
    setSaid(nothingSaid)
  }

  const next: Record<Step, ReactNode> = {
    file: (
      <Button type="primary" disabled={!found || Boolean(found.importedAt)} onClick={() => go('columns')}>
        下一步
      </Button>
    ),
    columns: (
      <Button type="primary" loading={inspecting.isPending} onClick={toCodes}>
        下一步
      </Button>
    ),
    codes: (
      <Button type="primary" onClick={toCheck}>
        检查
      </Button>
    ),
    check: check.isOver && !check.failed && check.answer && (
      <Button type="primary" onClick={() => check.answer && toDone(check.answer.sha256)}>
        确认导入{formatNumber(check.total)}行
      </Button>
    ),
    done: real.isOver && !real.failed && batchId !== undefined && (
      <Button
        type="primary"
        onClick={() => {
          onShow(batchId)
          setOpen(false)
          restart()
        }}
      >
        查看录取数据
      </Button>
    ),
  }
  const before: Partial<Record<Step, Step>> = {
    columns: 'file',
    codes: 'columns',
    check: 'codes',
    ...(real.isRunning || (real.isOver && !real.failed) ? {} : { done: 'codes' }),
  }
  const back = before[step]
  const wrong = step === 'check' ? check : real
  const footer = (
    <Space>
      <Button onClick={close}>{step === 'done' && real.isOver && !real.failed ? '关闭' : '取消'}</Button>
      {(step === 'check' || step === 'done') && wrong.isOver && wrong.failed && (
        <>
          <Button onClick={() => saveErrors(wrong, '录取数据导入错误表.csv')}>下载错误表</Button>
          <Button onClick={restart}>重新选择文件</Button>
        </>
      )}
      {back && <Button onClick={() => go(back)}>上一步</Button>}
      {next[step]}
    </Space>
  )
  return (
    <Can do={importAdmissions}>
      <Button icon={<IconImport />} onClick={() => setOpen(true)}>
        导入录取数据
      </Button>
      <Modal
        title="导入录取数据"
        style={{ width: WIDTH }}
        visible={open}
        maskClosable={false}
        onCancel={close}
        footer={footer}
        unmountOnExit
      >
        <Steps className="import-steps" size="small" current={steps.indexOf(step) + 1}>
          {steps.map((each) => (
            <Steps.Step key={each} title={stepNames[each]} />
          ))}
        </Steps>
        {refusal && (
          <div className="form-lead" role="alert">
            <Alert type="error" content={refusal} />
          </div>
        )}
        {step === 'file' && (
          <>
            <p>招生批次</p>
            <BatchSelect value={batchId} onChange={takeBatch} />
            <p>导入方式</p>
            <Radio.Group direction="vertical" value={said.mode} onChange={(mode: AdmissionImportMode) => say({ mode })}>
              {modes.map(([mode, label, help]) => (
                <Radio key={mode} value={mode}>
                  {label} <span className="form-hint">{help}</span>
                </Radio>
              ))}
            </Radio.Group>
            <p>省招办下发的录取库，第一行为列名；全部检查通过后才会写入。</p>
            <Upload
              drag
              accept=".dbf,.xls,.xlsx,.csv"
              fileList={[]}
              autoUpload={false}
              showUploadList={false}
              disabled={batchId === undefined || inspecting.isPending}
              tip={batchId === undefined ? '请先选择招生批次' : '支持 dbf、xls、xlsx、csv 文件，最多 100,000 行'}
              onChange={(list) => {
                const chosen = list.at(-1)?.originFile
                if (chosen) take(chosen)
              }}
            />
            {inspecting.isPending && <p role="status">正在读取文件</p>}
            {found?.importedAt && (
              <div role="alert">
                <Alert
                  type="warning"
                  title={`该文件已于${formatTime(found.importedAt)}导入`}
                  content={`${said.file?.name ?? ''} 的内容与当时导入的文件完全相同，请选择其他文件；修订后的名单请用“新增并更新”。`}
                />
              </div>
            )}
            {found && !found.importedAt && (
              <div role="status">
                <Alert
                  type="success"
                  content={`${said.file?.name ?? ''}：共${formatNumber(found.total)}行，${formatNumber(found.columns.length)}列`}
                />
              </div>
            )}
          </>
        )}
        {step === 'columns' && found && (
          <>
            <p className="form-hint">
              已按批次的字段映射和通用列名预填，请对照文件内容核对；保存后本批次以后的文件沿用。
            </p>
            <Columns
              found={found}
              proposed={proposed}
              columns={said.columns}
              onChange={(columns) => say({ columns })}
            />
          </>
        )}
        {step === 'codes' && found && (
          <>
            <p className="form-hint">
              已知的代码已预填；未填写的民族、政治面貌等按文件原文读取，或只保留在原始数据中。
            </p>
            <Codes met={found.codesMet} meanings={said.meanings} onChange={(meanings) => say({ meanings })} />
          </>
        )}
        {step === 'check' && <Checked run={check} mode={said.mode} />}
        {step === 'done' && <Done run={real} />}
      </Modal>
    </Can>
  )
}
