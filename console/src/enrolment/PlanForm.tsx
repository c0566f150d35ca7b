import { Button, Empty, Form, InputNumber, Table } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { editSiteEnrollment, saveSiteEnrollment, viewSiteEnrollment } from './api'
import { BatchSelect } from './BatchSelect'
import { type Line, linesRefusal, type PlanView, type TypedLine } from './planRules'

const Field = fieldsOf(saveSiteEnrollment)

const APPLIED_MIN = 1
const APPLIED_MAX = 9999

/** A line of the form, with what names its major. */
type Typed = TypedLine & Partial<Pick<Line, 'majorName' | 'levelName' | 'studyForm' | 'quota'>>

const studyForms = new Map<string, string>(listOptions.columns.studyForm?.options)

/** The majors of a batch as they are offered. */
const majorsOf = (parentId: number) => (keyword: string) => ({
  type: 'enrollmentMajor',
  keyword: keyword || undefined,
  parentId,
  enabled: true,
})

type Offered = RowOf<typeof listOptions>

const lineOf = ({ code, desc, levelName, studyForm, quota }: Offered): Typed => ({
  enrollmentMajorId: code,
  majorName: desc,
  levelName: levelName ?? undefined,
  studyForm: studyForm ?? undefined,
  quota: quota ?? undefined,
})

interface LinesInputProps {
  batchId: number
  value?: Typed[]
  onChange?: (lines: Typed[]) => void
  'aria-label'?: string
}

/** Majors of the batch, and for how many people of each the site applies. */
const LinesInput = ({ batchId, value = [], onChange, ...named }: LinesInputProps) => {
  const label = named['aria-label'] ?? '申报专业'
  const offered = useOptions(listOptions, majorsOf(batchId)('')).data ?? []
  const choose = (choices: readonly Choice[]) =>
    onChange?.(
      choices.map(({ code, desc }) => {
        const there = value.find(({ enrollmentMajorId }) => enrollmentMajorId === code)
        const major = offered.find((each) => each.code === code)
        return there ?? (major ? lineOf(major) : { enrollmentMajorId: code, majorName: desc })
      }),
    )
  const apply = (id: number, quotaApplied: number | undefined) =>
    onChange?.(value.map((line) => (line.enrollmentMajorId === id ? { ...line, quotaApplied } : line)))
  const choices = value.map(({ enrollmentMajorId, majorName = '' }) => ({ code: enrollmentMajorId, desc: majorName }))
  const others = offered.filter(({ code }) => !choices.some((each) => each.code === code))
  return (
    <>
      <SeveralOptions
        label={label}
        options={listOptions}
        query={majorsOf(batchId)}
        placeholder="请选择"
        known={choices}
        value={choices.map(({ code }) => code)}
        onFound={choose}
      />
      {others.length > 0 && (
        <Button type="text" size="mini" onClick={() => choose([...choices, ...others])}>
          加入全部{formatNumber(others.length)}个专业
        </Button>
      )}
      <Table
        size="small"
        rowKey="enrollmentMajorId"
        border={{ wrapper: true }}
        pagination={false}
        data={value}
        noDataElement={<Empty description="还没有选择专业" />}
        columns={[
          { title: '专业', dataIndex: 'majorName', width: 200 },
          {
            title: '层次、学习形式',
            dataIndex: 'levelName',
            width: 150,
            render: (_: unknown, { levelName, studyForm }: Typed) =>
              [levelName, studyForms.get(studyForm ?? '')].filter(Boolean).join(' '),
          },
          {
            title: '计划数',
            dataIndex: 'quota',
            width: 80,
            align: 'right',
            render: (quota: number | undefined) => formatNumber(quota),
          },
          {
            title: '申报人数',
            dataIndex: 'quotaApplied',
            width: 120,
            render: (_: unknown, { enrollmentMajorId, majorName, quotaApplied }: Typed) => (
              <InputNumber
                aria-label={`${majorName} 申报人数`}
                hideControl
                precision={0}
                min={APPLIED_MIN}
                max={APPLIED_MAX}
                value={quotaApplied ?? undefined}
                onChange={(wanted: number | undefined) => apply(enrollmentMajorId, wanted)}
              />
            ),
          },
          {
            title: '操作',
            dataIndex: 'enrollmentMajorId',
            width: 70,
            render: (id: number, { majorName }: Typed) => (
              <Button
                type="text"
                size="mini"
                status="danger"
                aria-label={`移除${majorName}`}
                onClick={() => onChange?.(value.filter(({ enrollmentMajorId }) => enrollmentMajorId !== id))}
              >
                移除
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}

/** The lines of the batch that was chosen above. */
const Lines = () => {
  const { form } = Form.useFormContext()
  const batchId: number | undefined = Form.useWatch('batchId', form)
  return (
    <Form.Item
      className="form-wide"
      field="lines"
      label="申报专业"
      required
      rules={[{ validator: (lines: Typed[] | undefined, report) => report(linesRefusal(lines)) }]}
      extra={batchId === undefined ? '请先选择招生批次' : undefined}
    >
      {batchId === undefined ? <span /> : <LinesInput key={batchId} batchId={batchId} />}
    </Form.Item>
  )
}

/** Another batch recruits for other majors. */
const BatchOfPlan = ({ onChange, ...rest }: Parameters<typeof BatchSelect>[0]) => {
  const { form } = Form.useFormContext()
  return (
    <BatchSelect
      {...rest}
      onChange={(id) => {
        form.setFieldsValue({ lines: [] })
        onChange?.(id)
      }}
    />
  )
}

const saving = (plan: PlanView | undefined): FormAction<Saved> => {
  const save = plan
    ? formAction(editSiteEnrollment, '已保存站点招生，提交后由学校核定', plan)
    : formAction(saveSiteEnrollment, '已新增站点招生，提交后由学校核定')
  const bodyOf = ({ lines = [], ...rest }: { lines?: readonly Typed[] }) => ({
    ...rest,
    lines: lines.map(({ enrollmentMajorId, quotaApplied }) => ({ enrollmentMajorId, quotaApplied })),
  })
  return { ...save, send: (values, request) => save.send(bodyOf(values), request) }
}

interface PlanFormProps extends DrawerProps<PlanView> {
  /** The batch that the list shows. */
  batchId: number | undefined
}

/** 新增, 编辑: which majors of a batch a site takes on, and for how many. */
export const PlanForm = ({ record, batchId, ...drawer }: PlanFormProps) => (
  <FormDrawer<PlanView, Saved>
    {...drawer}
    record={record}
    width={860}
    title={record ? `编辑站点招生 ${record.siteName}` : '新增站点招生'}
    initial={{ batchId }}
    action={saving}
    reload={(plan, call) => call(viewSiteEnrollment, { query: { id: plan.id } })}
    keep={['batchId', 'lines']}
  >
    <Field name="batchId" help={record ? '申报的招生批次不能更换' : undefined}>
      <BatchOfPlan disabled={record !== undefined} known={known(record?.batchId, record?.batchName)} />
    </Field>
    <Field name="siteId">
      <BasicSelect type="site" known={known(record?.siteId, record?.siteName)} />
    </Field>
    <Field name="contactName" />
    <Field name="contactPhone" help={record?.contactPhone ? '不修改时保留原号码' : undefined} />
    <Lines />
    <Field name="attachmentKey" help="站点盖章的申报表等">
      <FileUpload type={3} accept=".pdf,.jpg,.jpeg,.png,.doc,.docx,.xls,.xlsx" />
    </Field>
    <Field name="remark" />
  </FormDrawer>
)
