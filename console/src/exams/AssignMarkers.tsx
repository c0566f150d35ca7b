import { Button, Checkbox, Form, Input, InputNumber, Select } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { classes, teachers } from '@/basic_data/choices'
import { seqsIn } from '@/homework/homeworkRules'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { withZone } from '@/kit/moments'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { assignExamMarkers, listExamMarkers, viewExamMarkers } from './api'
import { setupsOf } from './choices'
import type { Marker } from './examRules'

type Wanted = BodyOf<typeof assignExamMarkers>['markers'][number]

/** A marker while it is chosen: the teacher may not be yet. */
type Draft = Omit<Wanted, 'teacherId'> & { teacherId?: number }

const MOST = 200
const MOST_SHEETS = 100_000

interface InputProps {
  value?: Draft[]
  onChange?: (markers: Draft[]) => void
  known?: readonly Pick<Marker, 'teacherId' | 'teacherName'>[]
  'aria-label'?: string
}

const scopes = (listExamMarkers.columns.scope?.options ?? []).map(([value, label]) => ({ value, label }))

/** 阅卷教师: who marks all, which classes or which questions, how many sheets, until when. */
const ExamMarkersInput = ({ value = [], onChange, known = [] }: InputProps) => {
  const change = (at: number, next: Partial<Draft>) =>
    onChange?.(value.map((marker, index) => (index === at ? { ...marker, ...next } : marker)))
  const teacherOf = (id: number | undefined): Choice | undefined => {
    const one = known.find(({ teacherId }) => teacherId === id)
    return one && { code: one.teacherId, desc: one.teacherName }
  }
  return (
    <div className="lines-input">
      {value.length > 0 && (
        <table aria-label="阅卷教师">
          <thead>
            <tr>
              <th scope="col">教师</th>
              <th scope="col">范围</th>
              <th scope="col">班级或题号</th>
              <th scope="col">份数上限</th>
              <th scope="col">截止时间</th>
              <th scope="col">仲裁</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {value.map((marker, at) => {
              const name = `第${at + 1}位阅卷教师`
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
                <tr key={at}>
                  <td>
                    <OptionSelect
                      label={`${name}姓名`}
                      {...teachers}
                      value={marker.teacherId}
                      known={teacherOf(marker.teacherId)}
                      onChange={(teacherId) => change(at, { teacherId })}
                    />
                  </td>
                  <td>
                    <Select
                      aria-label={`${name}范围`}
                      value={marker.scope ?? 'all'}
                      options={scopes}
                      onChange={(scope: Draft['scope']) => change(at, { scope, classIds: [], questionSeqs: [] })}
                    />
                  </td>
                  <td>
                    {marker.scope === 'by_class' && (
                      <SeveralOptions
                        label={`${name}班级`}
                        placeholder="请选择"
                        {...classes}
                        value={marker.classIds ?? []}
                        onChange={(classIds) => change(at, { classIds })}
                      />
                    )}
                    {marker.scope === 'by_question' && (
                      <Input
                        aria-label={`${name}题号`}
                        placeholder="如 3、7.2"
                        defaultValue={(marker.questionSeqs ?? []).join('、')}
                        onChange={(text) => change(at, { questionSeqs: seqsIn(text) })}
                      />
                    )}
                    {(marker.scope ?? 'all') === 'all' && '全部'}
                  </td>
                  <td>
                    <InputNumber
                      aria-label={`${name}份数上限`}
                      placeholder="不限"
                      min={1}
                      max={MOST_SHEETS}
                      precision={0}
                      hideControl
                      value={marker.quota ?? undefined}
                      onChange={(quota) => change(at, { quota: typeof quota === 'number' ? quota : null })}
                    />
                  </td>
                  <td>
                    <DateTimeInput
                      aria-label={`${name}截止时间`}
                      dayEnd
                      value={marker.deadlineAt ?? undefined}
                      onChange={(deadlineAt) => change(at, { deadlineAt: deadlineAt ?? null })}
                    />
                  </td>
                  <td>
                    <Checkbox
                      aria-label={`${name}仲裁`}
                      checked={marker.arbiter ?? false}
                      onChange={(arbiter) => change(at, { arbiter })}
                    />
                  </td>
                  <td>
                    <Button
                      type="text"
                      status="danger"
                      icon={<IconDelete />}
                      aria-label={`删除${name}`}
                      onClick={() => onChange?.(value.toSpliced(at, 1))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={value.length >= MOST}
        onClick={() => onChange?.([...value, newMarker()])}
      >
        添加阅卷教师
      </Button>
    </div>
  )
}

const newMarker = (): Draft => ({ scope: 'all', classIds: [], questionSeqs: [], arbiter: false })

/** Of which examination; none is chosen in the form. */
export interface MarkersOf {
  setupId?: number
  setupName?: string
}

interface Values {
  setupId?: number
  markers?: Draft[]
}

type Report = (message?: string) => void

const Field = fieldsOf(assignExamMarkers)

interface FormProps extends DrawerProps<MarkersOf> {
  known?: readonly Marker[]
}

const draftOf = ({ teacherId, scope, classIds, questionSeqs, quota, arbiter, deadlineAt }: Marker): Draft => ({
  teacherId,
  scope,
  classIds,
  questionSeqs,
  quota,
  arbiter,
  deadlineAt,
})

const AssignForm = ({ record: of, known = [], ...drawer }: FormProps) => (
  <FormDrawer<Values, Saved>
    {...drawer}
    record={undefined}
    initial={{ setupId: of?.setupId, markers: known.length > 0 ? known.map(draftOf) : [newMarker()] }}
    width={1080}
    title={of?.setupName ? `分配阅卷教师 ${of.setupName}` : '分配阅卷教师'}
    okText="分配"
    action={() => {
      const save = formAction(assignExamMarkers, '已分配阅卷教师')
      return {
        ...save,
        send: ({ setupId = of?.setupId, markers = [] }: Values, request) =>
          save.send({ setupId, markers: markers.map((marker) => withZone(marker, ['deadlineAt'])) }, request),
      }
    }}
  >
    <p className="form-hint">
      替换还没有阅卷记录的教师；已有阅卷记录的教师保留。双评需要至少两名教师，并指定仲裁教师。
    </p>
    {of?.setupId === undefined && (
      <Field name="setupId">
        <OptionSelect label="考试" {...setupsOf(undefined)} />
      </Field>
    )}
    <Form.Item
      field="markers"
      label="阅卷教师"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(
              Array.isArray(value) && value.length > 0 && value.every((marker: Draft) => marker.teacherId)
                ? undefined
                : '请选择阅卷教师，或删除空行',
            ),
        },
      ]}
    >
      <ExamMarkersInput known={known} />
    </Form.Item>
  </FormDrawer>
)

const Known = (props: DrawerProps<MarkersOf> & { setupId: number }) => {
  const { setupId, ...drawer } = props
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewExamMarkers.path, setupId, 'assign'],
    queryFn: ({ signal }) => request(viewExamMarkers, { query: { setupId } }, { signal }),
  })
  return (
    <Loaded query={query} rows={2}>
      {({ markers }) => <AssignForm {...drawer} known={markers} />}
    </Loaded>
  )
}

/** 分配阅卷教师 of an examination, with those whom it has. */
export const AssignMarkers = (drawer: DrawerProps<MarkersOf>) => {
  const setupId = drawer.record?.setupId
  if (!drawer.visible) return null
  return setupId === undefined ? <AssignForm {...drawer} /> : <Known {...drawer} setupId={setupId} />
}
