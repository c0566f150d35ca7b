import { Alert, Button, Drawer, Form, Radio, Result, Select, Space } from '@arco-design/web-react'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { classes, openSemesters } from '@/basic_data/choices'
import { openingsOf } from '@/course_opening/choices'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { formatNumber } from '@/kit/format'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { tidied } from '@/kit/rules'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { useDraftForm } from '@/kit/useDraftForm'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listStudents } from '@/student_status/api'
import { saveSelections } from './api'
import { StudentsSelect, studentWords } from './choices'
import { Notes } from './Notes'
import { namedNotes } from './selectionRules'
import './courseSelection.css'

const TITLE = '补选'
const Field = fieldsOf(saveSelections)
/** What a clerk selects for; the plan and the student have their own. */
const sources = (saveSelections.fields.source?.options ?? []).filter(
  ([source]) => source !== 'plan' && source !== 'self',
)
/** Of a class no more are named. */
const OF_CLASS = 500

type Wish = BodyOf<typeof saveSelections>

/** The names of the students of these classes, for whoever may look at students. */
const useNamesIn = (classIds: readonly number[]) => {
  const request = useRequest()
  const may = useAllowed()(listStudents)
  const found = useQueries({
    queries: classIds.map((classId) => {
      const body = { scope: 'all' as const, classId, pageCurrent: FIRST_PAGE, pageSize: OF_CLASS }
      return {
        queryKey: [listStudents.path, body],
        queryFn: ({ signal }: { signal: AbortSignal }) => request(listStudents, { body }, { signal }),
        enabled: may,
      }
    }),
  })
  return found.flatMap(({ data }) => data?.list ?? []).map((student) => [student.id, studentWords(student)] as const)
}

interface AddProps {
  semester: Choice | undefined
  /** Who is chosen already. */
  students: readonly Choice[]
  onClose: () => void
  onDone?: () => void
}

/** 补选: students or whole classes come into openings; who does not is shown before anything is written. */
export const AddSelections = ({ semester, students, onClose, onDone }: AddProps) => {
  const draft = useDraftForm(true, {
    source: 'admin',
    studentIds: students.map(({ code }) => code),
    openingIds: [],
    classIds: [],
  })
  const request = useRequest()
  const wish = useRef<Wish>(undefined)
  const [term, setTerm] = useState(semester)
  const [whom, setWhom] = useState<'students' | 'classes'>('students')
  const [names, setNames] = useState<ReadonlyMap<number, string>>(
    new Map(students.map(({ code, desc }) => [code, desc])),
  )
  const [openings, setOpenings] = useState<ReadonlyMap<number, string>>(new Map())
  const remember = (former: ReadonlyMap<number, string>, found: readonly Choice[]) =>
    new Map([...former, ...found.map(({ code, desc }) => [code, desc] as const)])
  const run = useMutation({
    mutationFn: (body: Wish) => request(saveSelections, { body }),
    onSuccess: async (_, { dryRun }) => {
      if (dryRun) return
      draft.settled()
      onDone?.()
      await refetchAll()
    },
    onError: (error) => draft.showErrors(error),
  })
  const outcome = run.data
  const done = outcome !== undefined && run.variables?.dryRun === false
  const inClasses = useNamesIn(outcome && wish.current?.classIds ? wish.current.classIds : [])
  const known = new Map([...names, ...inClasses])
  const preview = async () => {
    const values = await draft.validated<Wish>()
    if (!values) return
    const { studentIds, classIds, ...others } = { ...values, ...tidied(values) }
    wish.current = { ...others, ...(whom === 'students' ? { studentIds } : { classIds }), dryRun: true }
    run.mutate(wish.current)
  }
  const commit = () => wish.current && run.mutate({ ...wish.current, dryRun: false })
  const close = async () => {
    if (done || (await draft.mayClose())) onClose()
  }
  return (
    <Drawer
      title={TITLE}
      width={820}
      visible
      onCancel={close}
      footer={
        <Space>
          <Button onClick={close}>{done ? '关闭' : '取消'}</Button>
          {outcome && !done && <Button onClick={() => run.reset()}>修改条件</Button>}
          {outcome && !done && (
            <Button type="primary" loading={run.isPending} disabled={outcome.created === 0} onClick={commit}>
              确认补选{formatNumber(outcome.created)}条
            </Button>
          )}
          {!outcome && (
            <Button type="primary" loading={run.isPending} onClick={preview}>
              预览
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <div ref={draft.wrapper} hidden={outcome !== undefined}>
        <p className="form-lead">先预览哪些学生不能选、为什么，确认后才写入；只有已开课的课程可以选。</p>
        <Form {...draft.formProps}>
          <Form.Item label="学期" required>
            <OptionSelect
              label="学期"
              {...openSemesters}
              value={term?.code}
              known={term}
              onChange={(_, choice) => {
                setTerm(choice)
                draft.form.setFieldValue('openingIds', [])
              }}
            />
          </Form.Item>
          <Field name="openingIds">
            <SeveralOptions
              label="开课"
              placeholder={term ? '请选择' : '请先选择学期'}
              {...openingsOf(term?.code)}
              onFound={(found) => setOpenings((former) => remember(former, found))}
            />
          </Field>
          <Form.Item label="对象" required>
            <Radio.Group
              name="whom"
              aria-label="对象"
              value={whom}
              onChange={setWhom}
              options={[
                { value: 'students', label: '按学生' },
                { value: 'classes', label: '按班级' },
              ]}
            />
          </Form.Item>
          {whom === 'students' ? (
            <Field name="studentIds" required help="一次最多1000名学生">
              <StudentsSelect known={students} onFound={(found) => setNames((former) => remember(former, found))} />
            </Field>
          ) : (
            <Field name="classIds" required help="班级的全部在籍学生">
              <SeveralOptions label="班级" placeholder="请选择" {...classes} />
            </Field>
          )}
          <Field name="source" required help="补选：漏选或插班；重修：未通过的课程；补修：转入后缺的课程">
            <Select options={sources.map(([value, label]) => ({ value, label }))} />
          </Field>
          <Field name="reason" />
        </Form>
      </div>
      {outcome && done && <Result status="success" title={`已补选${formatNumber(outcome.created)}条`} />}
      {outcome && !done && (
        <Alert
          className="form-lead"
          type={outcome.created > 0 ? 'info' : 'warning'}
          content={`可以补选${formatNumber(outcome.created)}条，${formatNumber(outcome.refused.length)}条不能选`}
        />
      )}
      {outcome && (
        <>
          <Notes label="不能选" tone="bad" notes={namedNotes(outcome.refused, known, openings)} />
          <Notes label="请核对" tone="warning" notes={namedNotes(outcome.warnings, known, openings)} />
        </>
      )}
    </Drawer>
  )
}
