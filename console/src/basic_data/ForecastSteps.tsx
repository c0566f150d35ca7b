import { InputNumber } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { BulkResult } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { tellLeftOut } from '@/kit/leftOut'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  acceptForecastMajors,
  copyForecastMajors,
  type listForecastMajors,
  rejectForecastMajors,
  withdrawForecastMajor,
} from './api'
import { BasicSelect } from './BasicSelect'

type ForecastMajor = RowOf<typeof listForecastMajors>

/** The filings that a result is for. */
export interface Filings {
  items: { id: number; version: number; schoolId?: number | null }[]
  /** Of the only one. */
  name?: string
  /** The ticks have served. */
  done: () => void
}

const about = (filings: Filings | undefined) => filings?.name ?? `${filings?.items.length ?? 0}个专业`

const settled = (label: string, filings: Filings | undefined) => (result: BulkResult) => {
  filings?.done()
  if (result.failed.length > 0) tellFailures(label, result)
}

const Accepted = fieldsOf(acceptForecastMajors)

/** 备案通过 with number and day. */
export const AcceptForm = ({ record, ...drawer }: DrawerProps<Filings>) => (
  <FormDrawer<{ filingNo?: string | null; filedOn?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={`备案通过 ${about(record)}`}
    action={() => formAction(acceptForecastMajors, '已记录备案结果', { items: record?.items })}
    onSaved={settled('备案通过', record)}
  >
    <Accepted name="filedOn" />
    <Accepted name="filingNo" />
  </FormDrawer>
)

const Rejected = fieldsOf(rejectForecastMajors)

/** 未通过 with the reason. */
export const RejectForm = ({ record, ...drawer }: DrawerProps<Filings>) => (
  <FormDrawer<{ reason?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={`未通过 ${about(record)}`}
    action={() => formAction(rejectForecastMajors, '已记录备案结果', { items: record?.items })}
    onSaved={settled('未通过', record)}
  >
    <Rejected name="reason" />
  </FormDrawer>
)

const Withdrawn = fieldsOf(withdrawForecastMajor)

/** 撤销 with the reason. */
export const WithdrawForm = ({ record, ...drawer }: DrawerProps<ForecastMajor>) => (
  <FormDrawer<{ reason?: string }, { id: number }>
    {...drawer}
    record={undefined}
    title={record ? `撤销拟招生专业 ${record.name}` : ''}
    action={() => formAction(withdrawForecastMajor, '已撤销', { id: record?.id, version: record?.version })}
  >
    <Withdrawn name="reason" help="撤销后该专业今年不能编制招生计划" />
  </FormDrawer>
)

const Copied = fieldsOf(copyForecastMajors)

const Year = (props: { value?: number; onChange?: (year: number) => void; 'aria-label'?: string }) => (
  <InputNumber {...props} min={1980} max={2100} precision={0} mode="button" />
)

/** 从上年复制: drafts of a year from another. */
export const CopyForm = ({ record: _, ...drawer }: DrawerProps<object>) => (
  <FormDrawer<{ fromYear?: number; toYear?: number; gradeId?: number }, RowOf<typeof copyForecastMajors>>
    {...drawer}
    record={undefined}
    title="从上年复制"
    action={() => formAction(copyForecastMajors, ({ created }) => `已复制${created}个专业`)}
    onSaved={({ created, skipped, reasons }) => tellLeftOut(`已复制${created}个专业，跳过${skipped}个`, reasons)}
  >
    <Copied name="fromYear">
      <Year />
    </Copied>
    <Copied name="toYear">
      <Year />
    </Copied>
    <Copied name="gradeId">
      <BasicSelect type="grade" />
    </Copied>
  </FormDrawer>
)
