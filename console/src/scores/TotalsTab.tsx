import { Button, Drawer, Space, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { semesters } from '@/basic_data/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { achievementFilters } from './achievementFilters'
import { coverScoreRules, explainAchievement, exportAchievements, listAchievements, recomputeScores } from './api'
import { RecomputeDialog } from './ComponentsTab'
import { ExplainDrawer } from './Explain'
import { markTones, scoreName, scoreTones } from './scoreWords'

type Covered = DataOf<typeof coverScoreRules>['list'][number]

const columns = columnsOf(listAchievements, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: scoreTones },
  { field: 'courseName', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'effectiveRound', width: 100 },
  { field: 'study', width: 90, render: ({ study }) => points(study) },
  { field: 'homework', width: 90, render: ({ homework }) => points(homework) },
  { field: 'attendance', width: 90, render: ({ attendance }) => points(attendance) },
  { field: 'questions', width: 90, render: ({ questions }) => points(questions) },
  { field: 'exam', width: 90, render: ({ exam }) => points(exam) },
  { field: 'mark', width: 90, tones: markTones },
  { field: 'total', width: 80, render: ({ total }) => points(total) },
  { field: 'displayText', width: 110 },
  { field: 'className', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'semesterName', width: 150, hidden: true },
])

/** 公式覆盖检查: which rule wins for each opened course. */
const Coverage = ({ record: semester, visible, onClose }: DrawerProps<Choice>) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [coverScoreRules.path, semester?.code],
    queryFn: ({ signal }) => request(coverScoreRules, { query: { semesterId: semester?.code ?? 0 } }, { signal }),
    enabled: visible && semester !== undefined,
  })
  return (
    <Drawer title="公式覆盖检查" width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name="公式覆盖检查" />
      <Loaded query={query}>
        {({ list }) => (
          <Table
            size="small"
            border={{ wrapper: true }}
            rowKey={({ courseCode, gradeName, majorName }: Covered) => `${courseCode}-${gradeName}-${majorName}`}
            data={list}
            pagination={{ pageSize: 20, hideOnSinglePage: true }}
            columns={[
              {
                title: '课程',
                render: (_: unknown, { courseName, courseCode }: Covered) => `${courseName}（${courseCode}）`,
              },
              { title: '年级', render: (_: unknown, { gradeName }: Covered) => gradeName ?? '全部' },
              { title: '专业', render: (_: unknown, { majorName }: Covered) => majorName ?? '全部' },
              {
                title: '总评规则',
                render: (_: unknown, { summary, isDefault }: Covered) => (
                  <>
                    {summary ?? '由学生各自的年级和专业决定'} {isDefault && <Word tone="busy">默认</Word>}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Drawer>
  )
}

/** 成绩明细 of totals: the parts side by side, and why they come to this. */
export const TotalsTab = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listAchievements, { usual: { dimension: 'score', semesterId: semester?.code } })
  const explained = useDrawer<{ id: number; name: string }>()
  const coverage = useDrawer<Choice>()
  const recompute = useDrawer<object>()
  const overAll = isOverAll(useSchoolContext())
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listAchievements} field="semesterId" {...semesters} usual={semester} />
        {achievementFilters()}
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={scoreName}
        primary={
          <Space size={8}>
            {!overAll && semester && (
              <Can do={coverScoreRules}>
                <Button onClick={() => coverage.open(semester)}>公式覆盖检查</Button>
              </Can>
            )}
            <Can do={recomputeScores}>
              <Button onClick={() => recompute.open({})}>重新计算</Button>
            </Can>
          </Space>
        }
        tools={<ExportButton do={exportAchievements} table={table} />}
        actionsWidth={100}
        actions={(row) => [
          {
            label: '计算说明',
            do: explainAchievement,
            onClick: () => explained.open({ id: row.id, name: scoreName(row) }),
          },
        ]}
        empty="没有已发布的成绩。登记表发布后在这里查看各项成绩和计算说明。"
      />
      <ExplainDrawer key={explained.key} {...explained.props} />
      <Coverage key={`coverage-${coverage.key}`} {...coverage.props} />
      {recompute.props.visible && (
        <RecomputeDialog kind="total" semester={semester} onClose={recompute.props.onClose} />
      )}
    </>
  )
}
