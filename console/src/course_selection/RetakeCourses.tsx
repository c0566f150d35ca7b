import { Alert, Button, Drawer, Empty, Form, Result, Select, Space, Table } from '@arco-design/web-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { classes, openSemesters } from '@/basic_data/choices'
import { listOpenings } from '@/course_opening/api'
import { nameOf as openingName } from '@/course_opening/openingRules'
import { CourseSelect } from '@/courses/CourseSelect'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listSelections, retakeCourses } from './api'
import { Notes } from './Notes'
import { namedNotes, type Selection } from './selectionRules'
import './courseSelection.css'

const TITLE = '重修选课'
const AT_ONCE = 20
/** So many openings of a course are offered. */
const OPENINGS = 100

/** Whose last attempt at the course was not enough, page by page. */
const useFailed = (courseId: number | undefined, page: number) => {
  const request = useRequest()
  const body = { courseId, failed: true, pageCurrent: page, pageSize: AT_ONCE }
  return useQuery({
    queryKey: [listSelections.path, body],
    queryFn: ({ signal }) => request(listSelections, { body }, { signal }),
    enabled: courseId !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** The openings of the course that take somebody now: a class for those who repeat it first. */
const useOpenings = (semesterId: number | undefined, courseId: number | undefined) => {
  const request = useRequest()
  const body = { semesterId, courseId, status: 'opened', pageCurrent: FIRST_PAGE, pageSize: OPENINGS } as const
  const found = useQuery({
    queryKey: [listOpenings.path, body],
    queryFn: ({ signal }) => request(listOpenings, { body }, { signal }),
    enabled: semesterId !== undefined && courseId !== undefined,
  })
  const offered = [...(found.data?.list ?? [])].sort(
    (a, b) => Number(b.kind === 'retake') - Number(a.kind === 'retake'),
  )
  return {
    isLoading: found.isLoading,
    offered: offered.map((opening) => ({
      value: opening.id,
      label: `${openingName(opening)}${opening.kind === 'retake' ? ' 重修班' : ''} ${opening.selectedCount}/${opening.capacity ?? '不限'}`,
    })),
  }
}

interface FailedProps {
  rows: readonly Selection[]
  total: number
  page: number
  onPage: (page: number) => void
  ticked: readonly number[]
  onTick: (ids: number[]) => void
}

const Failed = ({ rows, total, page, onPage, ticked, onTick }: FailedProps) => (
  <Table
    size="small"
    rowKey="studentId"
    border={{ wrapper: true }}
    pagination={{ current: page, pageSize: AT_ONCE, total, showTotal: true, hideOnSinglePage: true, onChange: onPage }}
    data={[...rows]}
    noDataElement={<Empty description="这门课程没有未通过的学生" />}
    rowSelection={{
      type: 'checkbox',
      selectedRowKeys: [...ticked],
      preserveSelectedRowKeys: true,
      onChange: (keys) => onTick(keys.map(Number)),
      checkboxProps: ({ name, studentNo }) => ({ 'aria-label': `选择${name} ${studentNo ?? ''}` }),
    }}
    columns={[
      { title: '学号', dataIndex: 'studentNo', width: 130, render: (no?: string | null) => no ?? '—' },
      { title: '姓名', dataIndex: 'name', width: 90 },
      { title: '年级', dataIndex: 'gradeName', width: 80 },
      { title: '专业', dataIndex: 'majorName' },
      { title: '学期', dataIndex: 'semesterName', width: 140 },
      { title: '修读次数', dataIndex: 'attemptNo', width: 80, align: 'right' },
      {
        title: '总评',
        dataIndex: 'finalScore',
        width: 70,
        align: 'right',
        render: (score?: number | null) => score?.toFixed(1) ?? '—',
      },
    ]}
  />
)

interface RetakeProps {
  semester: Choice | undefined
  onClose: () => void
}

/** 重修选课: who did not pass a course takes it again, in an opening of it. */
export const RetakeCourses = ({ semester, onClose }: RetakeProps) => {
  const request = useRequest()
  const formId = useId()
  const [term, setTerm] = useState(semester)
  const [courseId, setCourse] = useState<number>()
  const [openingId, setOpening] = useState<number>()
  const [classId, setClass] = useState<number>()
  const [ticked, setTicked] = useState<readonly number[]>([])
  const [page, setPage] = useState(FIRST_PAGE)
  /** Of all who were ticked, on whichever page. */
  const [students, setStudents] = useState<ReadonlyMap<number, string>>(new Map())
  const attempts = useFailed(courseId, page)
  const { isLoading, offered } = useOpenings(term?.code, courseId)
  const failed = attempts.data?.list ?? []
  const run = useMutation({
    mutationFn: (body: BodyOf<typeof retakeCourses>) => request(retakeCourses, { body }),
    onSuccess: async (_, { dryRun }) => {
      if (!dryRun) await refetchAll()
    },
  })
  const outcome = run.data
  const done = outcome !== undefined && run.variables?.dryRun === false
  const start = (dryRun: boolean) => {
    if (openingId === undefined) return
    const items = ticked.map((studentId) => ({ studentId, openingId, classId: classId ?? null }))
    run.mutate({ items, dryRun })
  }
  const tick = (ids: readonly number[]) => {
    const shown = failed.map(({ studentId, name, studentNo }) => [studentId, `${name} ${studentNo ?? ''}`] as const)
    setStudents((known) => new Map([...known, ...shown]))
    setTicked(ids)
  }
  const openings = new Map(offered.map(({ value, label }) => [value, label]))
  return (
    <Drawer
      title={TITLE}
      width={860}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{done ? '关闭' : '取消'}</Button>
          {outcome && !done && <Button onClick={() => run.reset()}>修改条件</Button>}
          {outcome && !done && (
            <Button
              type="primary"
              loading={run.isPending}
              disabled={outcome.created === 0}
              onClick={() => start(false)}
            >
              确认重修选课{formatNumber(outcome.created)}条
            </Button>
          )}
          {!outcome && (
            <Button
              type="primary"
              loading={run.isPending}
              disabled={openingId === undefined || ticked.length === 0}
              onClick={() => start(true)}
            >
              预览{ticked.length > 0 && `${formatNumber(ticked.length)}名学生`}
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <div hidden={outcome !== undefined}>
        <Form id={formId} layout="vertical" className="form-grid">
          <Form.Item label="课程" required>
            <CourseSelect
              type="course"
              label="课程"
              value={courseId}
              onChange={(id) => {
                setCourse(id)
                setOpening(undefined)
                setTicked([])
                setPage(FIRST_PAGE)
              }}
            />
          </Form.Item>
          <Form.Item label="学期" required>
            <OptionSelect
              label="学期"
              {...openSemesters}
              value={term?.code}
              known={term}
              onChange={(_, choice) => {
                setTerm(choice)
                setOpening(undefined)
              }}
            />
          </Form.Item>
          <Form.Item label="开课" required>
            <Select
              aria-label="开课"
              placeholder={courseId === undefined ? '请先选择课程' : '请选择'}
              loading={isLoading}
              disabled={courseId === undefined}
              notFoundContent="该学期没有开设这门课程，可先用“计划外开课”新增重修班"
              value={openingId}
              options={offered}
              onChange={setOpening}
            />
          </Form.Item>
          <Form.Item label="上课班级" extra="不选时在学生所在班级">
            <OptionSelect
              label="上课班级"
              placeholder="学生所在班级"
              {...classes}
              value={classId}
              onChange={setClass}
            />
          </Form.Item>
        </Form>
        {courseId === undefined ? (
          <p className="form-hint">选择课程后，列出还没有通过的学生。</p>
        ) : (
          <Loaded query={attempts} rows={4}>
            {({ totalCount }) => (
              <Failed rows={failed} total={totalCount} page={page} onPage={setPage} ticked={ticked} onTick={tick} />
            )}
          </Loaded>
        )}
      </div>
      {outcome && done && <Result status="success" title={`已办理${formatNumber(outcome.created)}条重修选课`} />}
      {outcome && !done && (
        <Alert
          className="form-lead"
          type={outcome.created > 0 ? 'info' : 'warning'}
          content={`可以选${formatNumber(outcome.created)}条，${formatNumber(outcome.refused.length)}条不能选；原来的成绩保持不变。`}
        />
      )}
      {outcome && (
        <>
          <Notes label="不能选" tone="bad" notes={namedNotes(outcome.refused, students, openings)} />
          <Notes label="请核对" tone="warning" notes={namedNotes(outcome.warnings, students, openings)} />
        </>
      )}
    </Drawer>
  )
}
