import { Alert, Descriptions, Form, Radio, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useRef } from 'react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { labelOf } from '@/kit/labels'
import type { DrawerProps } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { viewStudent } from '@/student_status/api'
import { editChange, listChanges, saveChange, viewChange } from './api'
import { ChangeCheck, useCheck } from './ChangeCheck'
import { ToChange } from './ChangeRecords'
import {
  askedOf,
  checkOf,
  mayRenumber,
  OPEN,
  reasonsOf,
  statusWord,
  type Type,
  type Typed,
  typedOf,
  type View,
} from './changeRules'
import {
  AttachmentsInput,
  BatchSelect,
  ClassSelect,
  LevelSelect,
  MajorSelect,
  SiteSelect,
  StudentSelect,
} from './choices'
import './statusChange.css'

type Student = RowOf<typeof viewStudent>

/** What the form is opened with. */
export interface Opening {
  /** One that is edited. */
  change?: View
  /** Of whom it is asked; chosen in the form otherwise. */
  student?: { id: number; name: string }
  /** With which it begins. */
  type?: Type
  reasonCode?: Typed['reasonCode']
}

const Field = fieldsOf(saveChange)

/** A field by what is typed in it now. */
const useTyped = (): Typed => {
  const { form } = Form.useFormContext()
  const names = [
    'studentId',
    'batchId',
    'type',
    'after.levelId',
    'after.majorId',
    'after.siteId',
    'after.classId',
    'reasonCode',
    'suspendFrom',
    'suspendMonths',
  ]
  return Form.useWatch(names, form)
}

interface TargetProps {
  name: keyof NonNullable<Typed['after']>
  label: string
  required?: boolean
  help?: string
  children: ReactElement
}

/** A part of what the student is to come to. */
const Target = ({ name, label, required, help, children }: TargetProps) => (
  <Form.Item
    field={`after.${name}`}
    label={label}
    required={required}
    rules={required ? [{ required: true, message: `请选择${label}` }] : undefined}
    extra={help}
  >
    {children}
  </Form.Item>
)

interface TypeSelectProps {
  value?: Type
  onChange?: (type: Type) => void
  'aria-label'?: string
}

/** Another type asks for other things. */
const TypeSelect = ({ onChange, ...control }: TypeSelectProps) => {
  const { form } = Form.useFormContext()
  return (
    <Select
      {...control}
      placeholder="请选择"
      options={(saveChange.fields.type?.options ?? []).map(([value, label]) => ({ value, label }))}
      onChange={(type: Type) => {
        form.setFieldsValue({
          'after.levelId': undefined,
          'after.majorId': undefined,
          'after.siteId': undefined,
          'after.classId': undefined,
          reasonCode: undefined,
        })
        onChange?.(type)
      }}
    />
  )
}

const MonthsChoice = (props: { value?: number; onChange?: (months: number) => void; 'aria-label'?: string }) => (
  <Radio.Group
    {...props}
    type="button"
    options={[
      { value: 6, label: '6个月' },
      { value: 12, label: '12个月' },
    ]}
  />
)

interface OfTypeProps {
  typed: Typed
  student: Student | undefined
  change: View | undefined
  /** Of a return, as the server computes it. */
  gradeId: number | undefined
}

/** What each type asks for. */
const OfType = ({ typed: { type, after = {} }, student, change, gradeId }: OfTypeProps) => {
  const names = change?.afterNames
  const place = {
    gradeId: student?.gradeId,
    levelId: student?.levelId,
    majorId: student?.majorId,
    siteId: student?.siteId,
  }
  const major = { levelId: student?.levelId, known: known(change?.after.majorId, names?.majorName) }
  const knownClass = known(change?.after.classId, names?.className)
  switch (type) {
    case 'professional':
      return (
        <>
          <Target name="majorId" label="目标专业" required help="该生年级招收的同层次专业">
            <MajorSelect aria-label="目标专业" {...major} except={student?.majorId} />
          </Target>
          <Target name="classId" label="目标班级" help="不选时转入后为未分班">
            <ClassSelect
              aria-label="目标班级"
              place={{ ...place, majorId: after.majorId ?? undefined }}
              known={knownClass}
            />
          </Target>
        </>
      )
    case 'hierarchical':
      return (
        <>
          <Target name="levelId" label="目标层次" required>
            <LevelSelect
              aria-label="目标层次"
              known={known(change?.after.levelId, names?.levelName)}
              except={student?.levelId}
            />
          </Target>
          <Target name="majorId" label="目标专业" required help="该生年级招收的专业">
            <MajorSelect aria-label="目标专业" {...major} levelId={after.levelId ?? undefined} />
          </Target>
          <Target name="classId" label="目标班级" help="不选时转入后为未分班">
            <ClassSelect
              aria-label="目标班级"
              place={{ ...place, levelId: after.levelId ?? undefined, majorId: after.majorId ?? undefined }}
              known={knownClass}
            />
          </Target>
        </>
      )
    case 'class_change': {
      const crosses = after.siteId != null && after.siteId !== student?.siteId
      return (
        <>
          <Target name="siteId" label="目标站点" help="转到其他站点的，须由接收站点同意">
            <SiteSelect aria-label="目标站点" known={known(change?.after.siteId, names?.siteName)} />
          </Target>
          <Target
            name="classId"
            label="目标班级"
            required={!crosses}
            help={crosses ? '不选时转入后为未分班' : '年级、层次、专业与学生相同的班级'}
          >
            <ClassSelect
              aria-label="目标班级"
              place={{ ...place, siteId: after.siteId ?? student?.siteId }}
              known={knownClass}
            />
          </Target>
        </>
      )
    }
    case 'suspension':
      return (
        <>
          <Field name="suspendFrom" required />
          <Field name="suspendMonths" label="休学时间" required help="">
            <MonthsChoice />
          </Field>
        </>
      )
    case 'return':
      return (
        <Target name="classId" label="复学班级" required help="休学超过6个月的，复学到招收本专业的下一年级">
          <ClassSelect
            aria-label="复学班级"
            place={{ ...place, gradeId: gradeId ?? student?.gradeId }}
            known={knownClass}
          />
        </Target>
      )
    case 'transfer_out':
      return <Field name="targetSchoolName" required help="" />
    default:
      return null
  }
}

/** Who it is and how they stand now. */
const Facts = ({ student }: { student: Student }) => (
  <Descriptions
    className="form-wide form-lead"
    column={2}
    labelStyle={{ width: 80 }}
    data={[
      { label: '学籍状态', value: statusWord(student.status) },
      { label: '年级', value: student.gradeName },
      { label: '专业', value: `${student.levelName} ${student.majorName}` },
      { label: '站点', value: student.siteName },
      { label: '班级', value: student.className ?? '未分班' },
      { label: '入学日期', value: student.enrolledOn },
    ]}
  />
)

/** What is still decided about a student: beside it nothing else can be asked for, which is told before anything is typed. */
const OpenChange = ({ studentId, self }: { studentId: number; self: number | undefined }) => {
  const request = useRequest()
  const may = useAllowed()(listChanges)
  const body = { studentId, status: [...OPEN], pageCurrent: FIRST_PAGE, pageSize: 10 }
  const open = useQuery({
    queryKey: [listChanges.path, body],
    queryFn: ({ signal }) => request(listChanges, { body }, { signal }),
    enabled: may,
  })
  const others = (open.data?.list ?? []).filter(({ id }) => id !== self)
  if (others.length === 0) return null
  return (
    <Alert
      className="form-wide form-lead"
      type="warning"
      title="该生有未完成的异动，完成或撤回后才能申请其他异动"
      content={others.map((row) => (
        <div key={row.id}>
          <ToChange row={row} /> {labelOf(listChanges, 'type', row.type)} {labelOf(listChanges, 'status', row.status)}
        </div>
      ))}
    />
  )
}

const useStudent = (id: number | undefined) => {
  const call = useCall()
  const may = useAllowed()(viewStudent)
  return useQuery({
    queryKey: [viewStudent.path, id],
    queryFn: () => call(viewStudent, { query: { id: id ?? 0 } }),
    enabled: id !== undefined && may,
  })
}

const Fields = ({ opening: { change, student: given } }: { opening: Opening }) => {
  const typed = useTyped()
  const studentId = typed.studentId ?? change?.studentId ?? given?.id
  const { data: student } = useStudent(studentId)
  const check = useCheck(checkOf({ ...typed, studentId, id: change?.id }))
  const { type } = typed
  const reasons = reasonsOf(type)
  const called = student ?? given ?? (change && { id: change.studentId, name: change.name })
  const number = student?.studentNo ?? student?.examineeNo
  return (
    <>
      <Field name="studentId">
        <StudentSelect
          known={called && { code: called.id, desc: [called.name, number].filter(Boolean).join(' · ') }}
          disabled={change !== undefined || given !== undefined}
        />
      </Field>
      <Field name="type">
        <TypeSelect />
      </Field>
      {student && <Facts student={student} />}
      {studentId !== undefined && <OpenChange studentId={studentId} self={change?.id} />}
      <OfType
        key={type}
        typed={typed}
        student={student}
        change={change?.type === type ? change : undefined}
        gradeId={check.data?.preview?.after.gradeId}
      />
      {reasons.length > 0 && (
        <Field key={`reason-${type}`} name="reasonCode" required help="">
          <Select
            placeholder="请选择"
            options={reasons.map((value) => ({ value, label: labelOf(saveChange, 'reasonCode', value) }))}
          />
        </Field>
      )}
      <Field name="batchId" help="不选时取正在受理该异动的批次">
        <BatchSelect known={known(change?.batchId, change?.batchName)} />
      </Field>
      <Field name="effectiveOn" />
      {mayRenumber(type) && <Field name="renumber" help="生效时按新专业重新编学号，登录账号随之改变" />}
      <Field name="reason" />
      <Field name="attachments" help="申请书和证明材料，pdf、jpg 或 png">
        <AttachmentsInput stored={change?.attachments ?? []} />
      </Field>
      {!change && (
        <Form.Item field="submit" label="保存后">
          <Radio.Group
            aria-label="保存后"
            options={[
              { value: true, label: '提交审核' },
              { value: false, label: '存为草稿' },
            ]}
          />
        </Form.Item>
      )}
      <ChangeCheck student={student} query={check} />
    </>
  )
}

const saving = (typed: Typed | undefined, submits: { current: boolean }): FormAction<Saved> => {
  const save =
    typed?.id === undefined
      ? formAction(saveChange, () => (submits.current ? '已提交学籍异动' : '已存为草稿，提交后开始审核'))
      : formAction(editChange, '已保存学籍异动', { id: typed.id, version: typed.version })
  return {
    ...save,
    send: (values: Typed, request) => {
      submits.current = values.submit === true
      const asked = askedOf(values)
      return save.send(typed?.id === undefined ? { ...asked, submit: submits.current } : asked, request)
    },
  }
}

/** 申请异动 for a student, and its mending before somebody has looked at it. */
export const ChangeForm = ({ record: opening = {}, ...drawer }: DrawerProps<Opening>) => {
  const submits = useRef(false)
  const { change, student, type, reasonCode } = opening
  const name = change?.name ?? student?.name ?? ''
  return (
    <FormDrawer<Typed, Saved>
      {...drawer}
      record={change && typedOf(change)}
      initial={{ studentId: student?.id, type, reasonCode, submit: true, renumber: false, attachments: [] }}
      width={760}
      title={`${change ? '编辑学籍异动' : '申请学籍异动'} ${name}`.trim()}
      action={(typed) => saving(typed, submits)}
      reload={async (typed, call) => typedOf(await call(viewChange, { query: { id: typed.id ?? 0 } }))}
    >
      <Fields opening={opening} />
    </FormDrawer>
  )
}
