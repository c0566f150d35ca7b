import type { ReactNode } from 'react'
import { type Column, columnsOf } from '@/kit/columns'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listChanges } from './api'
import { formWord, type Row, type Type, targetWords, yearsWord } from './changeRules'
import { statusTones } from './tones'

const NOTHING = <span className="nothing">—</span>

/** What is told of a part of the row. */
const told = (
  key: string,
  title: string,
  width: number,
  render: (row: Row) => ReactNode,
  more: Partial<Pick<Column<Row>, 'help' | 'hidden'>> = {},
): Column<Row> => ({
  key,
  title,
  width,
  align: 'left',
  hidden: false,
  render: (row) => render(row) || NOTHING,
  ...more,
})

/** The state, and whether it should have taken effect. */
const Status = ({ row: { status, alert } }: { row: Row }) => (
  <>
    <Word tone={statusTones[status]}>{labelOf(listChanges, 'status', status)}</Word>
    {alert && (
      <span title={alert}>
        <Word tone="bad">未能生效</Word>
      </span>
    )}
  </>
)

/** Who it is and how it stands: the first columns of every list of changes. */
const person = columnsOf(listChanges, [
  { field: 'name', width: 130, fixed: 'left' },
  { field: 'studentNo', width: 140, under: 'name' },
  { field: 'status', title: '状态', width: 130, fixed: 'left', render: (row) => <Status row={row} /> },
])

const oldGrade = told('oldGrade', '年级', 90, (row) => row.beforeNames.gradeName)
const oldLevel = (title = '层次') => told('oldLevel', title, 90, (row) => row.beforeNames.levelName)
const oldMajor = (title = '原专业') => told('oldMajor', title, 150, (row) => row.beforeNames.majorName)
const oldSite = (title = '原站点') => told('oldSite', title, 140, (row) => row.beforeNames.siteName)
const oldClass = (title = '原班级') => told('oldClass', title, 180, (row) => row.beforeNames.className)

const about = columnsOf(listChanges, [
  { field: 'changeNo', width: 160 },
  { field: 'batchName', width: 180 },
  { field: 'reason', width: 200, hidden: true },
  { field: 'filingNo', width: 180 },
  { field: 'filedOn', hidden: true },
  { field: 'source', width: 90, hidden: true },
  { field: 'applicantName', width: 100, hidden: true },
  { field: 'createdAt', width: 170, hidden: true },
])

/** 异动申请: all types, what waits for somebody. */
export const applications: Column<Row>[] = [
  ...person,
  ...columnsOf(listChanges, [{ field: 'type', width: 110 }]),
  told('target', '拟转', 200, targetWords, { help: '新专业、新层次、新站点和班级，休学起止，或退学原因、转入院校' }),
  ...columnsOf(listChanges, [{ field: 'waitingDays', width: 110, help: '处于当前状态的天数' }]),
  oldLevel(),
  oldMajor(),
  oldGrade,
  oldSite(),
  oldClass(),
  ...columnsOf(listChanges, [
    { field: 'createdAt', width: 170 },
    { field: 'changeNo', width: 160 },
    { field: 'batchName', width: 180 },
    { field: 'effectiveOn', width: 110 },
    { field: 'source', width: 90 },
    { field: 'applicantName', width: 100 },
    { field: 'reasonCode', width: 140, hidden: true },
    { field: 'reason', width: 200, hidden: true },
    { field: 'filingNo', width: 180, hidden: true },
    { field: 'filedOn', hidden: true },
    { field: 'alert', width: 200, hidden: true },
  ]),
]

/** Of a suspension that is over without a return it is told. */
const Until = ({ row: { suspendUntil, overdue } }: { row: Row }) =>
  overdue ? <Word tone="bad">{`${suspendUntil} 逾期未复学`}</Word> : suspendUntil

/** What a result list tells of its type. */
const own: Record<Type, readonly Column<Row>[]> = {
  professional: [
    oldMajor(),
    told('oldForm', '原形式', 90, (row) => formWord(row.before.studyForm)),
    told('newMajor', '新专业', 150, (row) => row.afterNames.majorName),
    told('newForm', '新形式', 90, (row) => formWord(row.after.studyForm)),
    ...columnsOf(listChanges, [{ field: 'renumber', width: 90 }]),
    oldGrade,
    oldLevel(),
    oldSite('站点'),
    told('newClass', '新班级', 180, (row) => row.afterNames.className),
  ],
  hierarchical: [
    oldLevel('原层次'),
    oldMajor(),
    told('newLevel', '新层次', 90, (row) => row.afterNames.levelName),
    told('newMajor', '新专业', 150, (row) => row.afterNames.majorName),
    told('newYears', '新学制', 80, (row) => yearsWord(row.after.schoolingYears)),
    oldGrade,
    oldSite('站点'),
    told('newClass', '新班级', 180, (row) => row.afterNames.className),
  ],
  class_change: [
    oldSite(),
    oldClass(),
    told('newSite', '新站点', 140, (row) => row.afterNames.siteName),
    told('newClass', '新班级', 180, (row) => row.afterNames.className),
    oldLevel(),
    oldMajor('专业'),
    oldGrade,
  ],
  dropout: [
    ...columnsOf(listChanges, [{ field: 'reasonCode', width: 150 }]),
    oldLevel(),
    oldMajor('专业'),
    oldGrade,
    oldSite('站点'),
    oldClass('班级'),
  ],
  suspension: [
    ...columnsOf(listChanges, [
      { field: 'suspendFrom', width: 110 },
      { field: 'suspendUntil', width: 180, render: (row) => <Until row={row} /> },
      { field: 'suspendedMonths', title: '累计月数', width: 90 },
      { field: 'reasonCode', width: 120 },
    ]),
    oldLevel(),
    oldMajor('专业'),
    oldGrade,
    oldSite('站点'),
    oldClass('班级'),
  ],
  return: [
    told('newGrade', '新年级', 90, (row) => row.afterNames.gradeName),
    told('newClass', '新班级', 180, (row) => row.afterNames.className),
    ...columnsOf(listChanges, [{ field: 'suspendMonths', title: '已休学月数', width: 100 }]),
    oldLevel(),
    oldMajor('专业'),
    told('oldGrade', '原年级', 90, (row) => row.beforeNames.gradeName),
    oldSite('站点'),
    oldClass(),
  ],
  transfer_out: [
    ...columnsOf(listChanges, [{ field: 'targetSchoolName', width: 180 }]),
    oldLevel(),
    oldMajor('专业'),
    oldGrade,
    oldSite('站点'),
    oldClass('班级'),
  ],
}

/** A list of results of one type. */
export const resultsOf = (type: Type): Column<Row>[] => [
  ...person,
  ...own[type],
  ...columnsOf(listChanges, [{ field: 'effectiveOn', width: 110 }]),
  ...about,
]
