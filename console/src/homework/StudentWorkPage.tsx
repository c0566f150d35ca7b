import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { tellError, tellSuccess } from '@/api/errors'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { InSemester, SemesterFilter } from '@/course_opening/SemesterFilter'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { NumberFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { MoreTools } from '@/kit/MoreTools'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { TabList } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  downloadHomeworkFiles,
  exemptHomework,
  exportStudentHomework,
  extendHomework,
  listStudentHomework,
  remindHomework,
  returnSheets,
  submitMarks,
  viewStudentHomework,
} from './api'
import { homeworks } from './choices'
import { can, score, sheetsOf, type Work, withSheets, workName, workTones } from './homeworkRules'
import { type Returned, ReturnForm } from './ReturnForm'
import { WorkFigures } from './WorkFigures'
import { WorkFile } from './WorkFile'
import { type Exempted, ExemptForm, ExtendOneForm } from './WorkForms'
import './homework.css'

const columns = columnsOf(listStudentHomework, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'state', width: 84, fixed: 'left', tones: workTones },
  { field: 'title', title: '作业', width: 180 },
  { field: 'courseName', under: 'title' },
  { field: 'className', title: '班级', width: 160 },
  { field: 'attemptsUsed', title: '次数', width: 70 },
  { field: 'submittedAt', title: '提交时间', width: 170 },
  { field: 'late', title: '迟交', width: 70 },
  {
    field: 'finalRaw',
    title: '得分/总分',
    width: 120,
    help: '按计分方式合成的得分，补交已扣分',
    render: ({ finalRaw, totalScore }) => `${score(finalRaw)} / ${score(totalScore)}`,
  },
  { field: 'finalScore', title: '折百分', width: 80, render: ({ finalScore }) => score(finalScore) },
  {
    field: 'similarity',
    title: '相似度',
    width: 80,
    render: ({ similarity }) => formatPercent(similarity),
  },
  { field: 'markedByName', title: '批阅人', width: 100 },
  { field: 'objectiveScore', title: '客观分', width: 80, hidden: true, render: (row) => score(row.objectiveScore) },
  { field: 'subjectiveScore', title: '主观分', width: 80, hidden: true, render: (row) => score(row.subjectiveScore) },
  { field: 'penalty', title: '迟交扣分', width: 90, hidden: true, render: (row) => score(row.penalty) },
  { field: 'extendedUntil', width: 170, hidden: true },
  { field: 'extraAttempts', width: 90, hidden: true },
  { field: 'exemptReason', width: 180, hidden: true },
  { field: 'siteName', width: 130, hidden: true },
  { field: 'gradeName', width: 84, hidden: true },
  { field: 'majorName', width: 140, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

const LIST = 'list'
const FIGURES = 'figures'
const views = [
  [LIST, '名单'],
  [FIGURES, '统计图'],
] as const

const Works = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listStudentHomework, { usual: { semesterId: semester?.code } })
  const navigate = useNavigate()
  const context = useSchoolContext()
  const isSchool = context.area === 'school'
  const extend = useDrawer<Work>()
  const exempt = useDrawer<Exempted>()
  const back = useDrawer<Returned>()
  const [view, setView] = useState<string>(LIST)
  const homeworkId = Number(table.filters.homeworkId) || undefined
  const remind = useAction(remindHomework, { done: ({ told }) => `已督促${told}名未交的学生` })
  const pack = useAction(downloadHomeworkFiles, { onDone: () => tellSuccess('正在打包附件，完成后在任务中心下载') })
  const done = (failed: { id: number }[] = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection())
  /** What is given back are sheets: those that were left as they are stay ticked by whose they are. */
  const doneSheets = (failed: { id: number }[] = []) => done(withSheets([...table.tickedRows, ...table.rows], failed))
  const classId = Number(table.filters.classId) || undefined
  const remindAll = async () => {
    const question = {
      title: '督促该作业未交的学生？',
      content: '向未作答、作答中和已退回的学生发送提醒。',
      okText: '督促未交',
    }
    if (homeworkId && (await confirm(question))) remind.mutate({ body: { id: homeworkId } })
  }
  return (
    <>
      <div className="segments-and-views">
        <Segments table={table} field="state" label="作业状态" />
        <TabList label="学生作业" tabs={views} value={view} onChange={setView} />
      </div>
      <FilterBar table={table}>
        <SemesterFilter of={listStudentHomework} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listStudentHomework} field="keyword" label="姓名或学号" />
        <OptionFilter of={listStudentHomework} field="courseId" {...courses} />
        <OptionFilter of={listStudentHomework} field="homeworkId" label="作业" {...homeworks} />
        <OptionFilter of={listStudentHomework} field="classId" {...classes} />
        <OptionFilter of={listStudentHomework} field="siteId" {...sites} />
        <OptionFilter of={listStudentHomework} field="gradeId" {...grades} />
        <OptionFilter of={listStudentHomework} field="levelId" {...levels} />
        <OptionFilter of={listStudentHomework} field="majorId" {...majors} />
        <NumberFilter of={listStudentHomework} field="scoreFrom" />
        <NumberFilter of={listStudentHomework} field="scoreTo" />
        <SelectFilter
          of={listStudentHomework}
          field="late"
          label="迟交"
          options={[
            { value: 'true', label: '迟交' },
            { value: 'false', label: '按时' },
          ]}
        />
      </FilterBar>
      {view === FIGURES ? (
        <Loaded query={table.query}>
          {() => <WorkFigures body={table.body} filters={table.filters} segments={table.segments} />}
        </Loaded>
      ) : (
        <QueryTable
          table={table}
          columns={columns}
          nameOf={workName}
          tools={
            <>
              {homeworkId && !isOverAll(context) && (
                <MoreTools of={[remindHomework, downloadHomeworkFiles]}>
                  <Can do={remindHomework}>
                    <Button loading={remind.isPending} onClick={remindAll}>
                      督促未交
                    </Button>
                  </Can>
                  <Can do={downloadHomeworkFiles}>
                    <Button
                      loading={pack.isPending}
                      title={classId ? '所筛选的班级' : '全部班级'}
                      onClick={() => pack.mutate({ body: { id: homeworkId, classIds: classId ? [classId] : null } })}
                    >
                      打包下载附件
                    </Button>
                  </Can>
                </MoreTools>
              )}
              <ExportButton do={exportStudentHomework} table={table} />
            </>
          }
          bulk={[
            {
              label: '批量免做',
              do: exemptHomework,
              open: (ids) => exempt.open({ ids: [...ids], shown: table.tickedRows, done }),
            },
            {
              label: '批量退回',
              do: returnSheets,
              open: () => {
                const sheetIds = sheetsOf(table.tickedRows)
                if (sheetIds.length === 0) tellError('选中的学生都还没有答卷')
                else back.open({ sheetIds, title: `退回选中的${sheetIds.length}份答卷`, done: doneSheets })
              },
            },
          ]}
          file={(row) => <WorkFile id={row.id} />}
          actionsWidth={200}
          actions={(row) => [
            { label: '查看答卷', do: viewStudentHomework, onClick: () => table.open(row) },
            ...(isSchool && row.sheetId && (row.state === 'submitted' || row.state === 'marked')
              ? [
                  {
                    label: '批阅',
                    do: submitMarks,
                    onClick: () => navigate(`${paths.workPaper}?sheetId=${row.sheetId}`),
                  },
                ]
              : []),
            {
              label: '延期',
              do: extendHomework,
              disabled: can.extendOne(row),
              onClick: () => extend.open(row),
            },
            {
              label: '免做',
              do: exemptHomework,
              disabled: can.exempt(row),
              onClick: () => exempt.open({ ids: [row.id], shown: [row], done }),
            },
            {
              label: '退回',
              do: returnSheets,
              danger: true,
              disabled: can.giveBack(row),
              onClick: () => back.open({ sheetIds: sheetsOf([row]), title: `退回 ${workName(row)}`, done: doneSheets }),
            },
          ]}
          empty="没有符合条件的学生作业。作业发布后，对象中的学生在这里显示。"
        />
      )}
      <ExtendOneForm key={`extend-${extend.key}`} {...extend.props} />
      <ExemptForm key={`exempt-${exempt.key}`} {...exempt.props} />
      <ReturnForm key={`back-${back.key}`} {...back.props} />
    </>
  )
}

/** 学生作业: how each student stands with each homework (03 B6). */
export const StudentWorkPage = () => (
  <Page title="学生作业" help="每名学生每个作业的作答和得分；延期、免做、督促和退回在这里办理。" personal>
    <InSemester>{(semester) => <Works key={semester?.code} semester={semester} />}</InSemester>
  </Page>
)
