import { Input, Radio, Skeleton } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatSpan } from '@/kit/format'
import { Failed, Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { importPlatformCourse, listPlatformCourses, viewPlatformCourse } from './api'
import { CourseSelect } from './CourseSelect'

type Import = BodyOf<typeof importPlatformCourse>

/** So many of the newest are offered; others are found by a word. */
const OFFERED = 20

const Field = fieldsOf(importPlatformCourse)

const spanOf = (seconds: number) => (seconds > 0 ? formatSpan(seconds) : '时长未知')

/** What is in the chosen course, before it is taken over. */
const Inside = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewPlatformCourse.path, id],
    queryFn: ({ signal }) => request(viewPlatformCourse, { query: { platformCourseId: id } }, { signal }),
  })
  return (
    <section className="outline" aria-label="章节课时">
      <Loaded query={query} rows={4}>
        {({ chapters }) =>
          chapters.map(({ chapterName, periods }) => (
            <div key={chapterName}>
              <strong>{chapterName}</strong>
              <ol>
                {periods.map(({ periodName, duration }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list is only read
                  <li key={index}>
                    {periodName}
                    {duration ? `（${formatSpan(duration)}）` : ''}
                  </li>
                ))}
              </ol>
            </div>
          ))
        }
      </Loaded>
    </section>
  )
}

interface PlatformCourseChoiceProps {
  value?: number
  onChange?: (id: number) => void
  'aria-label'?: string
}

const PlatformCourseChoice = ({ value, onChange, ...named }: PlatformCourseChoiceProps) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const keyword = useSettled(text).trim() || undefined
  const query = useQuery({
    queryKey: [listPlatformCourses.path, keyword],
    queryFn: ({ signal }) => request(listPlatformCourses, { body: { keyword, pageSize: OFFERED } }, { signal }),
  })
  const courses = query.data?.list ?? []
  return (
    <div className="outline">
      <Input
        aria-label="搜索平台课程"
        placeholder="课程名称、讲师或拼音首字母"
        allowClear
        maxLength={60}
        value={text}
        onChange={setText}
      />
      {query.isPending && <Skeleton text={{ rows: 4 }} animation />}
      {query.isError && <Failed error={query.error} retry={() => query.refetch()} />}
      {query.isSuccess && courses.length === 0 && (
        <p className="nothing">{keyword ? '没有找到，请换一个词。' : '平台还没有供院校使用的课程。'}</p>
      )}
      <Radio.Group {...named} direction="vertical" value={value} onChange={(id: number) => onChange?.(id)}>
        {courses.map(({ id, courseName, lecturerName, chapterTotal, periodTotal, totalSeconds, taken }) => (
          <Radio key={id} value={id}>
            {courseName} · {lecturerName} · {chapterTotal}章{periodTotal}课时 · {spanOf(totalSeconds)}{' '}
            {taken && <Word>已引用</Word>}
          </Radio>
        ))}
      </Radio.Group>
      {value !== undefined && <Inside id={value} />}
    </div>
  )
}

/** 引用平台课程: the operator's course becomes a draft of the school's own (03 A6). */
export const TakeOver = (drawer: DrawerProps<undefined>) => (
  <FormDrawer<Partial<Import>, { id: number }>
    {...drawer}
    record={undefined}
    title="引用平台课程"
    width={620}
    action={() => formAction(importPlatformCourse, '已引用平台课程，资源为草稿')}
  >
    <p className="form-hint">
      复制课程信息、章节和音视频引用，生成草稿资源；之后可自行修改，平台课程的变化不影响本校资源。
    </p>
    <Field name="courseId">
      <CourseSelect type="course" />
    </Field>
    <Field name="platformCourseId">
      <PlatformCourseChoice />
    </Field>
  </FormDrawer>
)
