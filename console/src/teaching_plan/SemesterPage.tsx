import { Empty, Radio, Select, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useRequest } from '@/api/schoolContext'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { semesters } from '@/basic_data/choices'
import { generateOpenings } from '@/course_opening/api'
import { CourseSelect } from '@/courses/CourseSelect'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { formatNumber, formatTenths } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { Word } from '@/kit/Status'
import { useAddress } from '@/kit/useAddress'
import { paths } from '@/paths'
import { exportTeachingPlansOfSemester, listTeachingPlansOfSemester } from './api'
import { examWord, formWord, natureWord } from './choices'
import { byCourse, type CourseOfSemester, type SemesterCourse, type SemesterPlan } from './semesterRows'
import '@/kit/figures.css'
import './teachingPlan.css'

/** Rows beyond these come by pages. */
const PAGE_ROWS = 100

const numbers = ['semesterId', 'gradeId', 'levelId', 'majorId', 'courseId'] as const
const natures: readonly SemesterCourse['nature'][] = ['compulsory', 'limited_elective', 'elective']
const BY_COURSE = 'course'

/** What is asked for stands in the address. */
const useAsked = () => {
  const [search, change] = useAddress()
  const set = (name: string, value: string | number | undefined) =>
    change((before) => {
      const after = new URLSearchParams(before)
      if (value === undefined) after.delete(name)
      else after.set(name, String(value))
      return after
    })
  const [semesterId, gradeId, levelId, majorId, courseId] = numbers.map((name) => Number(search.get(name)) || undefined)
  const nature = natures.find((value) => value === search.get('nature'))
  return { semesterId, gradeId, levelId, majorId, courseId, nature, byCourse: search.get('view') === BY_COURSE, set }
}
type Asked = ReturnType<typeof useAsked>

const Filter = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="filter">
    <span className="filter-label">{label}</span>
    {children}
  </div>
)

const Filters = ({ asked, shown }: { asked: Asked; shown: SemesterPlan | undefined }) => (
  <div className="filters plan-choice">
    <Filter label="学期">
      <OptionSelect
        label="学期"
        {...semesters}
        value={asked.semesterId ?? shown?.semesterId}
        known={shown && { code: shown.semesterId, desc: shown.semesterName }}
        onChange={(id) => asked.set('semesterId', id)}
      />
    </Filter>
    <Filter label="年级">
      <BasicSelect
        type="grade"
        label="年级"
        placeholder="全部"
        value={asked.gradeId}
        onChange={(id) => asked.set('gradeId', id)}
      />
    </Filter>
    <Filter label="层次">
      <BasicSelect
        type="level"
        label="层次"
        placeholder="全部"
        value={asked.levelId}
        onChange={(id) => asked.set('levelId', id)}
      />
    </Filter>
    <Filter label="专业">
      <BasicSelect
        type="major"
        label="专业"
        placeholder="全部"
        value={asked.majorId}
        onChange={(id) => asked.set('majorId', id)}
      />
    </Filter>
    <Filter label="课程">
      <CourseSelect type="course" label="课程" value={asked.courseId} onChange={(id) => asked.set('courseId', id)} />
    </Filter>
    <Filter label="性质">
      <Select
        aria-label="性质"
        placeholder="全部"
        allowClear
        value={asked.nature}
        options={natures.map((value) => ({ value, label: natureWord(value) }))}
        onChange={(nature: string | undefined) => asked.set('nature', nature)}
      />
    </Filter>
  </div>
)

interface SheetColumn<Row> {
  title: string
  width?: number
  of: (row: Row) => string | number
  render?: (row: Row) => ReactNode
}

const openedWord = (opened: boolean) => (opened ? '已开课' : '未开课')

const columns: readonly SheetColumn<SemesterCourse>[] = [
  { title: '课程代码', width: 110, of: ({ courseCode }) => courseCode },
  { title: '课程', width: 180, of: ({ courseName }) => courseName },
  { title: '年级', width: 90, of: ({ gradeName }) => gradeName },
  { title: '层次', width: 90, of: ({ levelName }) => levelName },
  {
    title: '专业',
    width: 200,
    of: ({ majorName, studyForm }) => `${majorName} ${formWord(studyForm)}`,
    render: ({ majorName, studyForm, planId }) => (
      <>
        <Link className="overview-link" to={`${paths.planOfMajor}?planId=${planId}`}>
          {majorName}
        </Link>{' '}
        <small className="nothing">{formWord(studyForm)}</small>
      </>
    ),
  },
  { title: '学期序', width: 80, of: ({ termNo }) => termNo },
  { title: '性质', width: 80, of: ({ nature }) => natureWord(nature) },
  { title: '学分', width: 70, of: ({ credits }) => formatTenths(credits) },
  { title: '学时', width: 70, of: ({ hours }) => hours },
  { title: '考核', width: 80, of: ({ examForm }) => examWord(examForm) },
  { title: '人数', width: 80, of: ({ studentCount }) => studentCount },
  {
    title: '是否已开课',
    width: 100,
    of: ({ opened }) => openedWord(opened),
    render: ({ opened }) => <Word tone={opened ? 'good' : 'quiet'}>{openedWord(opened)}</Word>,
  },
]

const courseColumns: readonly SheetColumn<CourseOfSemester>[] = [
  { title: '课程代码', width: 140, of: ({ courseCode }) => courseCode },
  { title: '课程', of: ({ courseName }) => courseName },
  { title: '计划数', width: 100, of: ({ plans }) => plans },
  { title: '人数', width: 100, of: ({ students }) => students },
  { title: '已开课', width: 120, of: ({ opened, plans }) => `${opened}/${plans}` },
]

interface SheetTableProps<Row> {
  columns: readonly SheetColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => number
  isFiltered: boolean
}

const SheetTable = <Row,>({ columns: of, rows, keyOf, isFiltered }: SheetTableProps<Row>) => (
  <Table
    size="small"
    rowKey={(row: Row) => String(keyOf(row))}
    border={{ wrapper: true }}
    data={[...rows]}
    pagination={rows.length > PAGE_ROWS && { pageSize: PAGE_ROWS, size: 'small', showTotal: true }}
    noDataElement={<Empty description={isFiltered ? '没有符合条件的课程' : '生效的教学计划在该学期没有课程'} />}
    scroll={{ x: of.reduce((sum, { width = 180 }) => sum + width, 0) }}
    columns={of.map(({ title, width, of: told, render }) => ({
      title,
      dataIndex: title,
      width,
      render: (_: unknown, row: Row) => {
        const value = told(row)
        return render?.(row) ?? (typeof value === 'number' ? formatNumber(value) : value)
      },
    }))}
  />
)

const Shown = ({ asked, shown }: { asked: Asked; shown: SemesterPlan }) => {
  const rows = shown.list
  const courses = byCourse(rows)
  const { gradeId, levelId, majorId, courseId, nature } = asked
  const isFiltered = [gradeId, levelId, majorId, courseId, nature].some((each) => each !== undefined)
  const body = { semesterId: shown.semesterId, gradeId, levelId, majorId, courseId, nature }
  return (
    <>
      <div className="toolbar">
        <Radio.Group
          type="button"
          name="view"
          aria-label="查看方式"
          value={asked.byCourse ? BY_COURSE : 'plan'}
          options={[
            { value: 'plan', label: '按计划' },
            { value: BY_COURSE, label: '按课程汇总' },
          ]}
          onChange={(view: string) => asked.set('view', view === BY_COURSE ? BY_COURSE : undefined)}
        />
        <span className="nothing">
          {shown.semesterName}共{formatNumber(rows.length)}门次、{formatNumber(courses.length)}门课程
        </span>
        <div className="toolbar-right">
          {shown.list.some(({ opened }) => !opened) && (
            <Can do={generateOpenings}>
              <Link className="overview-link" to={`${paths.courseOpenings}?generate=${shown.semesterId}`}>
                生成开课
              </Link>
            </Can>
          )}
          <ExportButton do={exportTeachingPlansOfSemester} table={{ body, total: rows.length }} />
        </div>
      </div>
      {asked.byCourse ? (
        <SheetTable columns={courseColumns} rows={courses} keyOf={(row) => row.courseId} isFiltered={isFiltered} />
      ) : (
        <SheetTable columns={columns} rows={rows} keyOf={(row) => row.id} isFiltered={isFiltered} />
      )}
    </>
  )
}

/** 按学期查看计划: the courses of all plans in effect whose term the semester is. */
export const SemesterPage = () => {
  const asked = useAsked()
  const request = useRequest()
  const { semesterId, gradeId, levelId, majorId, courseId, nature } = asked
  const query = { semesterId, gradeId, levelId, majorId, courseId, nature }
  const found = useQuery({
    queryKey: [listTeachingPlansOfSemester.path, query],
    queryFn: ({ signal }) => request(listTeachingPlansOfSemester, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="按学期查看计划" help="生效的教学计划在所选学期应开的课程；人数为该年级专业的在籍学生。">
      <Filters asked={asked} shown={found.data} />
      <Loaded query={found}>{(shown) => <Shown asked={asked} shown={shown} />}</Loaded>
    </Page>
  )
}
