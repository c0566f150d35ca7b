import { Button, Form, Space, Switch, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { BodyOf, DataOf, Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { isOverAll, useNamed, useRequest, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { InSemester } from '@/course_opening/SemesterFilter'
import { exemptSelection, listSelections } from '@/course_selection/api'
import { IN_BACKGROUND } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { Chart } from '@/kit/Chart'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { FormDialog } from '@/kit/FormDialog'
import { OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { achievementFilters } from './achievementFilters'
import {
  explainAchievement,
  exportAchievements,
  exportAchievementsBySite,
  fetchAchievementImportTemplate,
  importAchievements,
  listAchievements,
  printTranscripts,
  saveScoreCorrection,
  statAchievements,
  viewAchievement,
} from './api'
import { CorrectionForm } from './Corrections'
import { ExplainDrawer } from './Explain'
import { type Achievement, markTones, rate, scoreName, scoreTones } from './scoreWords'
import { Transcript } from './Transcript'
import '@/kit/figures.css'
import './scores.css'

type Figures = DataOf<typeof statAchievements>['total']
type Asked = BodyOf<typeof statAchievements>

/** The columns of a file of students; those of scores stand in the document. */
const OF_STUDENT = [
  '学号',
  '姓名',
  '年级',
  '层次',
  '专业',
  '班级',
  '站点',
  '学籍状态',
  '已修门数',
  '通过门数',
  '不及格门数',
  '已获学分',
  '应修学分',
  '不及格必修学分',
  '加权平均',
  'GPA',
  '班级排名',
]

/** More rows than these are exported as a job. */
const JOB_ABOVE = 20_000

const nameOf = ({ studentName }: Achievement) => studentName

const ofStudents = columnsOf(listAchievements, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'studentStatus', width: 90 },
  { field: 'taken', width: 90 },
  { field: 'passedCount', width: 90 },
  { field: 'failedCount', width: 100 },
  {
    field: 'creditsEarned',
    title: '已获/应修学分',
    width: 120,
    render: ({ creditsEarned, creditsRequired }) => `${points(creditsEarned)} / ${points(creditsRequired)}`,
  },
  { field: 'creditsFailed', width: 130 },
  { field: 'average', width: 90, help: '已发布、非免修成绩按学分加权', render: ({ average }) => points(average) },
  { field: 'gpa', title: 'GPA', width: 80, render: ({ gpa }) => gpa?.toFixed(2) ?? '—' },
  { field: 'classRank', width: 90 },
  { field: 'levelName', width: 100 },
  { field: 'majorName', width: 150 },
  { field: 'gradeName', width: 90 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150 },
])

const ofScores = columnsOf(listAchievements, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: scoreTones },
  { field: 'courseName', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'semesterName', width: 150 },
  { field: 'displayText', width: 110 },
  { field: 'total', width: 80, render: ({ total }) => points(total) },
  { field: 'exam', width: 90, render: ({ exam }) => points(exam) },
  { field: 'study', width: 90, render: ({ study }) => points(study) },
  { field: 'homework', width: 90, render: ({ homework }) => points(homework) },
  { field: 'attendance', width: 90, render: ({ attendance }) => points(attendance) },
  { field: 'questions', width: 90, render: ({ questions }) => points(questions) },
  { field: 'mark', width: 90, tones: markTones },
  { field: 'passed', width: 70 },
  { field: 'nature', width: 80, render: ({ nature }) => (nature ? labelOf(listSelections, 'nature', nature) : '—') },
  { field: 'credits', width: 80, render: ({ credits }) => points(credits) },
  { field: 'earnedCredits', width: 90, render: ({ earnedCredits }) => points(earnedCredits) },
  { field: 'gradePoint', width: 80, render: ({ gradePoint }) => gradePoint?.toFixed(2) ?? '—' },
  { field: 'makeupUsed', width: 90 },
  { field: 'majorName', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150 },
])

/** 按站点导出: a workbook for each site, packed. */
const SiteExport = ({ onClose }: { onClose: () => void }) => {
  const named = useNamed()
  const request = useRequest()
  const packing = useMutation({
    mutationFn: async ({ job, ...body }: BodyOf<typeof exportAchievementsBySite> & { job?: boolean }) => {
      if (job) {
        const started: Operation<unknown, unknown, unknown> = exportAchievementsBySite
        await request(started, { query: { job: true }, body })
        await refetchAll()
        tellSuccess(IN_BACKGROUND)
        return
      }
      await download(exportAchievementsBySite, named(exportAchievementsBySite, { body }), '成绩_按站点.zip')
      tellSuccess('已导出各站点成绩')
    },
  })
  return (
    <FormDialog<{ semesterId: number; siteIds?: number[]; gradeId?: number; job?: boolean }, void>
      title="按站点导出成绩"
      okText="导出"
      lead={<p className="dialog-lead">每个站点一个工作簿，每个班级一张工作表。</p>}
      action={({ siteIds, ...rest }) =>
        packing.mutateAsync({ ...rest, siteIds: siteIds && siteIds.length > 0 ? siteIds : undefined })
      }
      onDone={onClose}
      onClose={onClose}
    >
      <Form.Item field="semesterId" label="学期" rules={[{ required: true, message: '请选择学期' }]}>
        <OptionSelect label="学期" {...semesters} />
      </Form.Item>
      <Form.Item field="siteIds" label="站点">
        <SeveralOptions label="站点" placeholder="全部" {...sites} />
      </Form.Item>
      <Form.Item field="gradeId" label="年级">
        <OptionSelect label="年级" placeholder="全部" {...grades} />
      </Form.Item>
      <Form.Item field="job" label="后台导出" triggerPropName="checked" extra="站点较多时打开，完成后在任务中心下载">
        <Switch aria-label="后台导出" />
      </Form.Item>
    </FormDialog>
  )
}

/** 按班级导出矩阵: students against courses of what the list shows, a sheet a class. */
const MatrixExport = ({ table }: { table: { body: object; total: number } }) => {
  const request = useRequest()
  const named = useNamed()
  const exporting = useMutation({
    mutationFn: async () => {
      const shown = Object.entries(table.body).filter(([name]) => name in exportAchievements.fields)
      const body = { ...Object.fromEntries(shown), layout: 'matrix' }
      if (table.total <= JOB_ABOVE) {
        await download(exportAchievements, named(exportAchievements, { body }), '班级成绩矩阵.xlsx')
        tellSuccess('已导出各班级成绩')
        return
      }
      const started: Operation<unknown, unknown, unknown> = exportAchievements
      await request(started, { query: { job: true }, body })
      await refetchAll()
      tellSuccess(IN_BACKGROUND)
    },
  })
  return (
    <Can do={exportAchievements}>
      <Button loading={exporting.isPending} disabled={table.total === 0} onClick={() => exporting.mutate()}>
        按班级导出矩阵
      </Button>
    </Can>
  )
}

const Students = ({ warning }: { warning: boolean }) => {
  const table = useQueryTable(listAchievements, {
    usual: warning ? { dimension: 'student', warning: true } : { dimension: 'student' },
  })
  const transcripts = useFileOf(printTranscripts)
  const navigate = useNavigate()
  const isSchool = useSchoolContext().area === 'school'
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listAchievements} field="keyword" label="学号或姓名" />
        <OptionFilter of={listAchievements} field="classId" {...classes} />
        <OptionFilter of={listAchievements} field="gradeId" {...grades} />
        <OptionFilter of={listAchievements} field="majorId" {...majors} />
        <OptionFilter of={listAchievements} field="levelId" {...levels} />
        <OptionFilter of={listAchievements} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={ofStudents}
        nameOf={nameOf}
        tools={<ExportButton do={exportAchievements} table={table} columns={OF_STUDENT} />}
        bulk={[
          {
            label: '打印成绩单',
            do: printTranscripts,
            open: (ids) => transcripts.mutate({ input: { body: { studentIds: [...ids] } }, name: '成绩单.pdf' }),
          },
        ]}
        file={({ studentId }) => <Transcript id={studentId} />}
        actionsWidth={isSchool ? 220 : 170}
        actions={(row) => [
          { label: '成绩单', do: viewAchievement, onClick: () => table.open(row) },
          {
            label: '打印成绩单',
            do: printTranscripts,
            onClick: () =>
              transcripts.mutate({
                input: { body: { studentIds: [row.studentId] } },
                name: `成绩单_${row.studentName}.pdf`,
              }),
          },
          ...(isSchool
            ? [
                {
                  label: '免修',
                  do: exemptSelection,
                  onClick: () => navigate(`${paths.courseSelections}?keyword=${row.studentNo ?? row.studentName}`),
                },
              ]
            : []),
        ]}
        empty={warning ? '没有需要预警的学生。' : '还没有已发布的成绩。登记表发布后学生出现在这里。'}
      />
    </>
  )
}

const Scores = () => {
  const table = useQueryTable(listAchievements, { usual: { dimension: 'score' } })
  const correction = useDrawer<Achievement>()
  const explained = useDrawer<{ id: number; name: string }>()
  const packing = useDrawer<object>()
  const overAll = isOverAll(useSchoolContext())
  const why = ({ status }: Achievement) =>
    status === 'published' || status === 'locked' ? undefined : '成绩尚未发布，请直接修改'
  return (
    <>
      <FilterBar table={table}>
        {[
          <OptionFilter key="semesterId" of={listAchievements} field="semesterId" {...semesters} />,
          ...achievementFilters(),
        ]}
      </FilterBar>
      <QueryTable
        table={table}
        columns={ofScores}
        nameOf={scoreName}
        tools={
          <Space size={4}>
            <ImportButton
              do={importAchievements}
              template={fetchAchievementImportTemplate}
              what="历史成绩"
              label="导入历史成绩"
            />
            {!overAll && (
              <>
                <Can do={exportAchievementsBySite}>
                  <Button onClick={() => packing.open({})}>按站点导出</Button>
                </Can>
                <MatrixExport table={table} />
              </>
            )}
            <ExportButton do={exportAchievements} table={table} />
          </Space>
        }
        actionsWidth={150}
        actions={(row) => [
          {
            label: '计算说明',
            do: explainAchievement,
            onClick: () => explained.open({ id: row.id, name: scoreName(row) }),
          },
          { label: '更正', do: saveScoreCorrection, disabled: why(row), onClick: () => correction.open(row) },
        ]}
        empty="还没有已发布的成绩。未发布的成绩须有权限，并选择“含未发布”。"
      />
      <CorrectionForm key={correction.key} {...correction.props} />
      <ExplainDrawer key={`explain-${explained.key}`} {...explained.props} />
      {packing.props.visible && <SiteExport onClose={packing.props.onClose} />}
    </>
  )
}

const figureColumns = [
  { title: '名称', dataIndex: 'name' },
  { title: '人数', width: 80, render: (_: unknown, { enrolled }: Figures) => formatNumber(enrolled) },
  { title: '平均', width: 80, render: (_: unknown, { mean }: Figures) => points(mean) },
  { title: '中位', width: 80, render: (_: unknown, { median }: Figures) => points(median) },
  { title: '标准差', width: 80, render: (_: unknown, { deviation }: Figures) => points(deviation) },
  { title: '最高', width: 80, render: (_: unknown, { highest }: Figures) => points(highest) },
  { title: '最低', width: 80, render: (_: unknown, { lowest }: Figures) => points(lowest) },
  { title: '及格率', width: 90, render: (_: unknown, row: Figures) => rate(row.passRate) },
  { title: '优秀率', width: 90, render: (_: unknown, row: Figures) => rate(row.excellentRate) },
  { title: '缺考率', width: 90, render: (_: unknown, row: Figures) => rate(row.absentRate) },
]

const dimensions: readonly (readonly [value: Asked['dimension'], label: string])[] = [
  ['course', '按课程'],
  ['class', '按班级'],
  ['site', '按站点'],
  ['major', '按专业'],
  ['teacher', '按教师'],
]

/** 成绩统计: how a semester went, by course, class, site, major or teacher. */
const Statistics = ({ semester }: { semester: Choice | undefined }) => {
  const request = useRequest()
  const [semesterId, setSemester] = useState(semester?.code)
  const [dimension, setDimension] = useState<Asked['dimension']>('course')
  const [courseId, setCourse] = useState<number>()
  const [siteId, setSite] = useState<number>()
  const body: Asked = { semesterId: semesterId ?? 0, dimension, courseId, siteId }
  const query = useQuery({
    queryKey: [statAchievements.path, body],
    queryFn: ({ signal }) => request(statAchievements, { body }, { signal }),
    enabled: semesterId !== undefined,
  })
  return (
    <section aria-label="成绩统计">
      <div className="score-entry">
        <OptionSelect label="学期" known={semester} value={semesterId} onChange={setSemester} {...semesters} />
        <OptionSelect label="课程" placeholder="全部课程" value={courseId} onChange={setCourse} {...courses} />
        <OptionSelect label="站点" placeholder="全部站点" value={siteId} onChange={setSite} {...sites} />
        <TabList label="统计维度" tabs={dimensions} value={dimension} onChange={setDimension} />
      </div>
      {semesterId === undefined ? (
        <p className="nothing">请选择学期</p>
      ) : (
        <Loaded query={query}>
          {({ total, groups, semesters: over }) => (
            <>
              <h3>分数分布</h3>
              <Chart
                data={{
                  title: '分数分布',
                  kind: 'bar',
                  unit: '人',
                  series: [{ name: '人数', points: total.bands.map(({ name, count }) => ({ name, value: count })) }],
                }}
              />
              <h3>及格率</h3>
              <Chart
                data={{
                  title: '及格率',
                  kind: 'bar',
                  unit: '%',
                  series: [
                    { name: '及格率', points: groups.map((row) => ({ name: row.name, value: row.passRate ?? 0 })) },
                  ],
                }}
              />
              <h3>各学期及格率</h3>
              <Chart
                data={{
                  title: '各学期及格率',
                  kind: 'line',
                  unit: '%',
                  series: [
                    { name: '及格率', points: over.map((row) => ({ name: row.name, value: row.passRate ?? 0 })) },
                  ],
                }}
              />
              <p className="form-hint">人数不含免修和缓考；平均、中位和标准差不计缺考、违纪、作弊和取消资格。</p>
              <Table
                size="small"
                rowKey="name"
                border={{ wrapper: true }}
                data={[{ ...total, name: '合计' }, ...groups]}
                pagination={{ pageSize: 50, hideOnSinglePage: true }}
                columns={figureColumns}
              />
            </>
          )}
        </Loaded>
      )}
    </section>
  )
}

const STUDENTS = 'students'
const tabs = [
  [STUDENTS, '学生成绩'],
  ['scores', '课程成绩'],
  ['stat', '成绩统计'],
  ['warning', '学业预警'],
] as const

/** 成绩查询: published scores, by student and by course, and what they come to (04 §7). */
export const AchievementPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? STUDENTS
  return (
    <Page title="成绩查询" help="查询、打印、导出和分析已发布的成绩；点开成绩可以看到怎样得来。" personal>
      <div className="list-tabs">
        <TabList
          label="成绩查询"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === STUDENTS ? undefined : next)}
        />
      </div>
      {tab === 'scores' && <Scores />}
      {tab === 'stat' && (
        <SchoolFirst>
          <InSemester>{(semester) => <Statistics key={semester?.code} semester={semester} />}</InSemester>
        </SchoolFirst>
      )}
      {tab === 'warning' && <Students key="warning" warning />}
      {tab === STUDENTS && <Students key="students" warning={false} />}
    </Page>
  )
}
