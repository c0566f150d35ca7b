import { Alert, Empty, Input, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { listSelections } from '@/course_selection/api'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { useSettled } from '@/kit/useSettled'
import { FIRST_PAGE } from '@/kit/useQueryTable'

const MOST = 50

export type Chosen = RowOf<typeof listSelections>

interface PickerProps {
  /** Which course is studied, where the page says it. */
  courseId?: number
  semesterId?: number
  /** One student, or several. */
  several?: boolean
  value?: Chosen[]
  onChange?: (rows: Chosen[]) => void
  'aria-label'?: string
}

/** Students with a course that they study, found by name or number. */
export const SelectionPicker = (props: PickerProps) => {
  const { courseId, semesterId, several = false, value = [], onChange, 'aria-label': label = '学生' } = props
  const request = useRequest()
  const [typed, setTyped] = useState('')
  const keyword = useSettled(typed.trim())
  const body = { courseId, semesterId, keyword, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listSelections.path, 'picker', body],
    queryFn: ({ signal }) => request(listSelections, { body }, { signal }),
    enabled: keyword !== '',
  })
  return (
    <>
      <Input
        aria-label={label}
        placeholder="输入姓名或学号查找"
        allowClear
        maxLength={50}
        value={typed}
        onChange={setTyped}
      />
      {value.length > 0 && (
        <Alert
          className="exam-people"
          type="info"
          content={`已选择：${value.map(({ name, courseName }) => `${name}《${courseName}》`).join('、')}`}
        />
      )}
      {keyword !== '' && (
        <Loaded query={query} rows={3}>
          {({ list, totalCount }) => (
            <>
              <Table
                className="exam-people"
                rowKey="id"
                size="small"
                border={{ wrapper: true }}
                pagination={{ pageSize: 10, hideOnSinglePage: true }}
                data={list}
                noDataElement={<Empty description="没有找到选课记录，请换一个姓名或学号" />}
                rowSelection={{
                  type: several ? 'checkbox' : 'radio',
                  selectedRowKeys: value.map(({ id }) => id),
                  preserveSelectedRowKeys: true,
                  onChange: (keys) => {
                    const known = new Map([...value, ...list].map((row) => [row.id, row]))
                    onChange?.(keys.flatMap((key) => known.get(Number(key)) ?? []))
                  },
                  checkboxProps: ({ name }) => ({ 'aria-label': `选择${name}` }),
                }}
                columns={[
                  { title: '姓名', dataIndex: 'name', width: 90 },
                  { title: '学号', dataIndex: 'studentNo', width: 130 },
                  { title: '课程', dataIndex: 'courseName' },
                  { title: '学期', dataIndex: 'semesterName', width: 130 },
                  {
                    title: '状态',
                    width: 80,
                    render: (_: unknown, row: Chosen) => labelOf(listSelections, 'status', row.status),
                  },
                ]}
              />
              {totalCount > list.length && (
                <p className="form-hint">
                  共{formatNumber(totalCount)}条，只列出前{formatNumber(MOST)}条，请输入更完整的姓名或学号。
                </p>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  )
}
