import { listArchives, listCertificates } from '@/certificates/api'
import { listDegrees, listDisciplines, listExternalExams, listGraduates } from '@/graduation/api'
import { columnsOf } from '@/kit/columns'
import { formatNumber, points } from '@/kit/format'
import { TitledList } from '@/kit/ShortList'
import { listTheses } from '@/thesis/api'

const theses = columnsOf(listTheses, [
  { field: 'planName', title: '论文批次', width: 170 },
  { field: 'title', width: 220 },
  { field: 'adviserName', width: 90 },
  { field: 'stage', title: '阶段', width: 80 },
  { field: 'stageStatus', title: '阶段状态', width: 90 },
  { field: 'status', title: '状态', width: 84 },
])

const audits = columnsOf(listGraduates, [
  { field: 'batchName', title: '毕业批次', width: 170 },
  { field: 'auditResult', title: '审核结果', width: 90 },
  { field: 'failedRules', width: 200 },
  {
    field: 'earnedCredits',
    title: '已获/应修学分',
    width: 120,
    render: ({ earnedCredits, requiredCredits }) => `${points(earnedCredits)} / ${points(requiredCredits)}`,
  },
  { field: 'decision', title: '结论', width: 84 },
  { field: 'status', title: '状态', width: 84 },
])

const degrees = columnsOf(listDegrees, [
  { field: 'batchName', title: '毕业批次', width: 170 },
  { field: 'appliedOn', width: 110 },
  { field: 'auditResult', title: '审核结果', width: 90 },
  { field: 'decision', title: '结论', width: 84 },
  { field: 'certificateNo', width: 170 },
  { field: 'status', title: '状态', width: 84 },
])

const certificates = columnsOf(listCertificates, [
  { field: 'kind', title: '种类', width: 120 },
  { field: 'number', width: 180 },
  { field: 'issuedOn', width: 110 },
  { field: 'registerResult', title: '注册结果', width: 90 },
  { field: 'status', title: '状态', width: 84 },
])

const archives = columnsOf(listArchives, [
  { field: 'archiveNo', width: 180 },
  {
    field: 'readyCount',
    title: '齐全度',
    width: 84,
    render: ({ readyCount, neededCount }) => `${formatNumber(readyCount)} / ${formatNumber(neededCount)}`,
  },
  { field: 'handedTo', width: 140 },
  { field: 'handedOn', width: 110 },
  { field: 'status', title: '状态', width: 84 },
])

const disciplines = columnsOf(listDisciplines, [
  { field: 'type', title: '处分类型', width: 100 },
  { field: 'documentNo', width: 140 },
  { field: 'reason', width: 220 },
  { field: 'decidedOn', width: 110 },
  { field: 'status', title: '状态', width: 84 },
])

const elsewhere = columnsOf(listExternalExams, [
  { field: 'type', title: '考试类型', width: 130 },
  { field: 'score', width: 80, render: ({ score }) => points(score) },
  { field: 'examDate', width: 110 },
  { field: 'passed', width: 84 },
])

/** What somebody may see of a student's way to the diploma; without any of it there is no section. */
export const graduationLists = [
  listTheses,
  listGraduates,
  listDegrees,
  listCertificates,
  listArchives,
  listDisciplines,
  listExternalExams,
]

/** 毕业 of a student: thesis, audit, degree, certificates, archive, and what counts for them. */
export const StudentGraduation = ({ studentId }: { studentId: number }) => {
  const filter = { studentId }
  return (
    <>
      <TitledList
        title="毕业审核"
        of={listGraduates}
        filter={filter}
        columns={audits}
        page="毕业生名单"
        empty="还没有列入毕业批次"
      />
      <TitledList title="论文" of={listTheses} filter={filter} columns={theses} page="论文管理" empty="没有论文" />
      <TitledList
        title="学位"
        of={listDegrees}
        filter={filter}
        columns={degrees}
        page="毕业生名单"
        empty="没有学位申请"
      />
      <TitledList
        title="证书"
        of={listCertificates}
        filter={filter}
        columns={certificates}
        page="毕业批次"
        empty="没有证书"
      />
      <TitledList
        title="毕业档案"
        of={listArchives}
        filter={filter}
        columns={archives}
        page="毕业档案"
        empty="没有毕业档案"
      />
      <TitledList
        title="处分"
        of={listDisciplines}
        filter={filter}
        columns={disciplines}
        page="毕业生名单"
        empty="没有处分"
      />
      <TitledList
        title="校外考试成绩"
        of={listExternalExams}
        filter={filter}
        columns={elsewhere}
        page="毕业生名单"
        empty="没有校外考试成绩"
      />
    </>
  )
}
