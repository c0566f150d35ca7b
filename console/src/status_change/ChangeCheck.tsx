import { Alert, Descriptions } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listOptions } from '@/api/infra'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { basicOptions } from '@/basic_data/BasicSelect'
import { OptionName } from '@/kit/OptionSelect'
import { useSettled } from '@/kit/useSettled'
import type { viewStudent } from '@/student_status/api'
import { checkChange } from './api'
import { DifferencesTable } from './Compared'
import { differences } from './changeRules'

type Student = RowOf<typeof viewStudent>
type Asked = BodyOf<typeof checkChange>
type Checked = RowOf<typeof checkChange>
type After = NonNullable<Checked['preview']>['after']

/** What the server says of what is typed, asked for after a pause. */
export const useCheck = (asked: Asked | undefined) => {
  const request = useRequest()
  const text = useSettled(asked ? JSON.stringify(asked) : '')
  return useQuery({
    queryKey: [checkChange.path, text],
    queryFn: ({ signal }) => {
      const body: Asked = JSON.parse(text)
      return request(checkChange, { body }, { signal })
    },
    placeholderData: keepPreviousData,
    enabled: text !== '',
  })
}

/** The name of what is chosen; that of the student where it stays. */
const nameOf = (
  kind: 'grade' | 'level' | 'major' | 'site' | 'class',
  id: number | null | undefined,
  [own, called]: readonly [number | null | undefined, ReactNode],
  parentId?: number,
): ReactNode =>
  id == null || id === own ? called : <OptionName options={listOptions} query={basicOptions(kind, parentId)} id={id} />

const namesOf = (student: Student, after: After) => ({
  gradeName: nameOf('grade', after.gradeId, [student.gradeId, student.gradeName]),
  levelName: nameOf('level', after.levelId, [student.levelId, student.levelName]),
  majorName: nameOf('major', after.majorId, [student.majorId, student.majorName], after.levelId),
  siteName: nameOf('site', after.siteId, [student.siteId, student.siteName]),
  className: nameOf('class', after.classId, [student.classId, student.className], after.siteId),
})

const Preview = ({ student, checked: { before, preview } }: { student: Student; checked: Checked }) =>
  preview && (
    <>
      <DifferencesTable rows={differences([before, student], [preview.after, namesOf(student, preview.after)])} />
      <Descriptions
        className="change-dates"
        column={3}
        data={[
          ...(preview.suspendUntil ? [{ label: '休学至', value: preview.suspendUntil }] : []),
          { label: '预计毕业', value: preview.expectedGraduationOn },
          { label: '最长学习期限', value: preview.maxStudyEndOn },
        ]}
      />
    </>
  )

interface ChangeCheckProps {
  student: Student | undefined
  query: ReturnType<typeof useCheck>
}

/** Whether it may be asked for, and how the student would stand: under the form while it is typed. */
export const ChangeCheck = ({ student, query: { data: checked, isPlaceholderData } }: ChangeCheckProps) => {
  if (!student || !checked) return null
  return (
    <section
      aria-label="检查结果"
      aria-live="polite"
      className={isPlaceholderData ? 'form-wide change-check table-stale' : 'form-wide change-check'}
    >
      {checked.ok ? (
        <Alert type="success" content="符合办理条件" />
      ) : (
        <Alert
          type="warning"
          title="现在不能提交"
          content={
            <ul className="change-reasons">
              {checked.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          }
        />
      )}
      <Preview student={student} checked={checked} />
    </section>
  )
}
