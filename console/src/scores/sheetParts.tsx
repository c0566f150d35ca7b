import { classes, grades, levels, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { allBatches } from '@/exams/choices'
import { columnsOf } from '@/kit/columns'
import { EnumFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formatNumber, formatTime, points } from '@/kit/format'
import { Word } from '@/kit/Status'
import { listScoreSheets } from './api'
import { rate, sheetTones } from './scoreWords'

const MINUTES = 'YYYY-MM-DD HH:mm'

/** The filters of sheets; elements, because the bar counts its children. */
export const sheetFilters = () => [
  <OptionFilter key="batchId" of={listScoreSheets} field="batchId" {...allBatches} />,
  <OptionFilter key="courseId" of={listScoreSheets} field="courseId" {...courses} />,
  <OptionFilter key="classId" of={listScoreSheets} field="classId" {...classes} />,
  <TextFilter key="sheetNo" of={listScoreSheets} field="sheetNo" />,
  <OptionFilter key="semesterId" of={listScoreSheets} field="semesterId" {...semesters} />,
  <OptionFilter key="teacherId" of={listScoreSheets} field="teacherId" {...teachers} />,
  <EnumFilter key="source" of={listScoreSheets} field="source" label="来源" />,
  <YesNoFilter key="overdue" of={listScoreSheets} field="overdue" />,
  <OptionFilter key="siteId" of={listScoreSheets} field="siteId" {...sites} />,
  <OptionFilter key="gradeId" of={listScoreSheets} field="gradeId" {...grades} />,
  <OptionFilter key="levelId" of={listScoreSheets} field="levelId" {...levels} />,
  <OptionFilter key="majorId" of={listScoreSheets} field="majorId" {...majors} />,
]

const head = columnsOf(listScoreSheets, [
  { field: 'courseName', width: 190, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  {
    field: 'status',
    title: '状态',
    width: 84,
    fixed: 'left',
    tones: sheetTones,
  },
  { field: 'sheetNo', width: 140 },
  { field: 'className', width: 160 },
  { field: 'siteName', width: 140 },
  { field: 'round', title: '性质', width: 90 },
  { field: 'source', title: '来源', width: 80 },
  { field: 'batchName', width: 180 },
  { field: 'teacherName', width: 100 },
  {
    field: 'enteredCount',
    title: '已录/应录',
    width: 110,
    help: '缺考也算已录，退选的不计',
    render: ({ enteredCount, totalCount }) => `${formatNumber(enteredCount)} / ${formatNumber(totalCount)}`,
  },
  { field: 'absentCount', width: 80 },
])

const figures = columnsOf(listScoreSheets, [
  { field: 'mean', width: 90, render: ({ mean }) => points(mean) },
  { field: 'passRate', width: 100, render: ({ passRate }) => rate(passRate) },
  { field: 'excellentRate', width: 100, render: ({ excellentRate }) => rate(excellentRate) },
  { field: 'highest', width: 80, render: ({ highest }) => points(highest) },
  { field: 'lowest', width: 80, render: ({ lowest }) => points(lowest) },
  {
    field: 'doubts',
    width: 220,
    align: 'left',
    render: ({ doubts }) => (doubts.length > 0 ? <Word tone="warning">{doubts.join('；')}</Word> : '—'),
  },
])

const tail = columnsOf(listScoreSheets, [
  { field: 'submittedByName', width: 100 },
  { field: 'submittedAt', width: 170 },
  { field: 'firstReviewedByName', width: 100, hidden: true },
  { field: 'reviewedByName', width: 100, hidden: true },
  { field: 'reviewOpinion', width: 160, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'returnReason', width: 160, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
])

const until = columnsOf(listScoreSheets, [
  {
    field: 'entryEndsAt',
    width: 190,
    render: ({ entryEndsAt, extendReason, overdue }) => (
      <>
        {entryEndsAt ? formatTime(entryEndsAt, MINUTES) : '—'} {overdue && <Word tone="bad">逾期</Word>}
        {extendReason && <div>延长：{extendReason}</div>}
      </>
    ),
  },
])

export const entryColumns = [...head, ...until, ...tail]
export const resultColumns = [...head, ...figures, ...until]
export const reviewColumns = [...head, ...figures, ...tail]
