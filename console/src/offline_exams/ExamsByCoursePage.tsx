import { Alert, Button, Checkbox, Empty, Form, Space, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { fieldErrors, messageOf, tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { batches, sessionsOf } from '@/exams/choices'
import { type Offered, OfferedFilters } from '@/exams/OfferedFilters'
import { type OfferedCourse, useOfferedCourses, useSetCourses } from '@/exams/offeredCourses'
import { nothingOffered } from '@/exams/offeredRules'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { useSaveKey } from '@/kit/useDraftForm'
import { paths } from '@/paths'
import { listOfflineSetups, placeOfflineSetups, saveOfflineSetup, saveOfflineSetups } from './api'

const MOST = 300

/** 口试, 实操 and 大作业 may do without seats. */
const unseated: readonly string[] = ['oral', 'practical', 'report']

interface CoursesProps {
  batchId: number
  asked: Offered
  ticked: ReadonlyMap<number, OfferedCourse>
  onTick: (rows: readonly OfferedCourse[]) => void
  sessions: ReadonlyMap<number, number>
  onSession: (courseId: number, sessionId: number | undefined) => void
  errors: ReadonlyMap<number, string>
}

const Courses = ({ batchId, asked, ticked, onTick, sessions, onSession, errors }: CoursesProps) => {
  const offered = useOfferedCourses({ ...asked, onPaper: true })
  const set = useSetCourses(listOfflineSetups, batchId)
  const isSet = ({ courseId }: OfferedCourse) => set.has(courseId)
  return (
    <Loaded query={offered} rows={6}>
      {(list) => (
        <Table
          rowKey="courseId"
          size="small"
          border={{ wrapper: true }}
          pagination={{ pageSize: 50, hideOnSinglePage: true }}
          data={list}
          noDataElement={<Empty description={nothingOffered(asked, true)} />}
          rowSelection={{
            type: 'checkbox',
            selectedRowKeys: [...ticked.keys()],
            preserveSelectedRowKeys: true,
            onChange: (keys) => onTick(list.filter(({ courseId }) => keys.includes(courseId))),
            checkboxProps: (row) => ({ 'aria-label': `选择${row.courseName}`, disabled: isSet(row) }),
          }}
          columns={[
            { title: '课程', render: (_: unknown, row: OfferedCourse) => `${row.courseName}（${row.courseCode}）` },
            {
              title: '考核方式',
              width: 90,
              render: (_: unknown, row: OfferedCourse) =>
                labelOf(saveOfflineSetup, 'assessMode', row.assessMode ?? 'closed_book'),
            },
            {
              title: '班级数',
              width: 80,
              align: 'right',
              render: (_: unknown, row: OfferedCourse) => formatNumber(row.classIds.length),
            },
            {
              title: '学生数',
              width: 80,
              align: 'right',
              render: (_: unknown, row: OfferedCourse) => formatNumber(row.studentCount),
            },
            {
              title: '场次',
              width: 260,
              render: (_: unknown, row: OfferedCourse) => (
                <OptionSelect
                  label={`${row.courseName}的场次`}
                  placeholder="以后安排"
                  {...sessionsOf(batchId)}
                  disabled={isSet(row)}
                  value={sessions.get(row.courseId)}
                  onChange={(id) => onSession(row.courseId, id)}
                />
              ),
            },
            {
              title: '本批次',
              width: 220,
              render: (_: unknown, row: OfferedCourse) => {
                const error = errors.get(row.courseId)
                if (error) return <Word tone="bad">{error}</Word>
                return isSet(row) ? <Word>已设置</Word> : <Word tone="good">未设置</Word>
              },
            },
          ]}
        />
      )}
    </Loaded>
  )
}

const Wizard = () => {
  const request = useRequest()
  const navigate = useNavigate()
  const mayPlace = useAllowed()(placeOfflineSetups)
  const search = new URLSearchParams(useLocation().search)
  const [batchId, setBatch] = useState(Number(search.get('batchId')) || undefined)
  const [asked, setAsked] = useState<Offered>({ semesterId: Number(search.get('semesterId')) || undefined })
  const [ticked, setTicked] = useState<ReadonlyMap<number, OfferedCourse>>(new Map())
  const [sessions, setSessions] = useState<ReadonlyMap<number, number>>(new Map())
  const [errors, setErrors] = useState<ReadonlyMap<number, string>>(new Map())
  const [places, setPlaces] = useState(false)
  useUnsaved(ticked.size > 0)
  const chosen = [...ticked.values()]
  const saving = useMutation({
    mutationFn: async () => {
      const rows = chosen.map(({ courseId, classIds, assessMode }) => ({
        courseId,
        semesterId: asked.semesterId,
        assessMode: assessMode ?? null,
        sessionId: sessions.get(courseId) ?? null,
        classIds,
        noSeating: unseated.includes(assessMode ?? ''),
      }))
      const quiet = (refusal: Error) => fieldErrors(refusal).length > 0
      const { ids } = await request(saveOfflineSetups, { body: { batchId, rows } }, { quiet })
      const open = ids.filter((_, at) => rows[at]?.sessionId === null)
      if (!places || open.length === 0) return { saved: ids.length, left: undefined }
      const { unplaced } = await request(placeOfflineSetups, { body: { batchId, setupIds: open, preview: false } })
      return { saved: ids.length, left: unplaced.length }
    },
    onMutate: () => setErrors(new Map()),
    onSuccess: async ({ saved, left }) => {
      setTicked(new Map())
      await refetchAll()
      const rest = left ? `，${formatNumber(left)}场没有合适的场次` : ''
      tellSuccess(`已新增${formatNumber(saved)}场考试的草稿${rest}`)
      navigate(`${paths.offlineExams}?batchId=${batchId}`)
    },
    onError: (error) => {
      const told = new Map<number, string>()
      for (const { field, message } of fieldErrors(error)) {
        const course = chosen[Number(/^rows\[(\d+)\]/.exec(field)?.[1] ?? -1)]
        if (course) told.set(course.courseId, message)
      }
      setErrors(told)
    },
  })
  const save = () => {
    if (ticked.size > 0 && ticked.size <= MOST && !saving.isPending) saving.mutate()
  }
  useSaveKey(true, save)
  return (
    <div className="form-page">
      <Form.Item label="批次" required layout="vertical">
        <OptionSelect label="批次" {...batches} value={batchId} onChange={setBatch} />
      </Form.Item>
      <OfferedFilters
        value={asked}
        onChange={(next) => {
          setAsked(next)
          setTicked(new Map())
        }}
      />
      {saving.isError && <Alert className="form-lead" type="error" content={messageOf(saving.error)} />}
      {batchId === undefined || asked.semesterId === undefined ? (
        <p className="form-hint">请先选择批次和学期。</p>
      ) : (
        <Courses
          batchId={batchId}
          asked={asked}
          ticked={ticked}
          onTick={(rows) => setTicked(new Map(rows.map((row) => [row.courseId, row])))}
          sessions={sessions}
          onSession={(courseId, id) => {
            const next = new Map(sessions)
            if (id === undefined) next.delete(courseId)
            else next.set(courseId, id)
            setSessions(next)
          }}
          errors={errors}
        />
      )}
      <Space className="form-page-foot">
        {mayPlace && (
          <Checkbox checked={places} onChange={setPlaces}>
            没有选择场次的自动安排
          </Checkbox>
        )}
        <Button
          type="primary"
          title={ticked.size > MOST ? `一次最多${MOST}门课程` : 'Ctrl+S'}
          disabled={ticked.size === 0 || ticked.size > MOST}
          loading={saving.isPending}
          onClick={save}
        >
          新增{formatNumber(ticked.size)}场考试
        </Button>
        <Button onClick={() => navigate(paths.offlineExams)}>返回列表</Button>
      </Space>
    </div>
  )
}

/** 按课程新增考试: the courses of a semester that are written on paper, each with its session (04 §4.4). */
export const ExamsByCoursePage = () => (
  <Page title="按课程新增考试" help="选择学期的课程，选定场次或自动安排，一次保存为草稿；有一行不正确时全部不保存。">
    <Wizard />
  </Page>
)
