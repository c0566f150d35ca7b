import { Button, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tellError } from '@/api/errors'
import { useRequest } from '@/api/schoolContext'
import { classes } from '@/basic_data/choices'
import { listAllocations } from '@/course_opening/api'
import { Can } from '@/kit/Can'
import type { Choice } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { FIRST_PAGE } from '@/kit/useQueryTable'

/** So many openings a course has at the most in a semester. */
const MOST = 500

interface ClassesProps {
  courseId: number | undefined
  semesterId: number | undefined
  value?: number[]
  onChange?: (ids: number[]) => void
  disabled?: boolean
  'aria-label'?: string
}

/** 考试对象: classes one by one, or all that study the course in the semester. */
export const ClassesInput = ({ courseId, semesterId, value = [], onChange, disabled, ...named }: ClassesProps) => {
  const request = useRequest()
  const label = named['aria-label'] ?? '考试对象'
  const [known, setKnown] = useState<readonly Choice[]>([])
  const all = useMutation({
    mutationFn: () =>
      request(listAllocations, { body: { courseId, semesterId, pageCurrent: FIRST_PAGE, pageSize: MOST } }),
    onSuccess: ({ list }) => {
      const found = list.flatMap((opening) => opening.classes)
      if (found.length === 0) tellError('该课程在这个学期没有开课班级')
      setKnown(found.map(({ classId, className }) => ({ code: classId, desc: className })))
      onChange?.([...new Set([...value, ...found.map(({ classId }) => classId)])])
    },
  })
  if (disabled) return <p>已选择{value.length}个班级</p>
  return (
    <Space direction="vertical" style={{ width: '100%' }}>
      <SeveralOptions
        key={known.length}
        label={label}
        placeholder="请选择班级"
        {...classes}
        known={known}
        value={value}
        onChange={onChange}
      />
      <Can do={listAllocations}>
        <Button
          size="small"
          disabled={courseId === undefined || semesterId === undefined}
          title={courseId === undefined || semesterId === undefined ? '请先选择课程和学期' : undefined}
          loading={all.isPending}
          onClick={() => all.mutate()}
        >
          选择该课程全部开课班级
        </Button>
      </Can>
    </Space>
  )
}
