import { Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { listOptions } from '@/api/infra'
import { useCall } from '@/api/schoolContext'
import { basicOptions } from '@/basic_data/BasicSelect'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { listCorrections } from '@/corrections/api'
import { type BulkEntry, bulkStep, type RowAction } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { saveChange } from '@/status_change/api'
import { ChangeForm, type Opening } from '@/status_change/ChangeForm'
import { checkGraduationPhotos, fetchPreCheckTemplate, importPreChecks, writeGraduationOpinions } from './api'
import { columnsOfState } from './columns'
import { FillForm } from './FillForm'
import { type Group, graduation, information, type Kind, qualification } from './groups'
import { InformationFile } from './InformationFile'
import { InformationPapers, type Wanted } from './InformationPapers'
import { correctionPlace } from './InformationParts'
import { type Row, type StepName, stepsOf, type View } from './informationRules'
import { type Comparing, PhotoCheck } from './PhotoCheck'
import { ReviewDrawer } from './ReviewDrawer'
import { OpinionForm, RejectForm, ReturnManyForm, TakeBackForm, type Ticked } from './StepForms'
import { usePack } from './usePack'
import './informationReview.css'

const itemOf = ({ id, version }: Row) => ({ id, version })

const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** What a group is looked through by beside what all are. */
const ownFilters = ({ kind, list }: Group) => {
  switch (kind) {
    case 'admission_information':
      return [
        <SelectFilter
          key="mismatched"
          of={list}
          field="mismatched"
          label="核对不符"
          options={yesNo('有不符', '无不符')}
        />,
        <EnumFilter key="correctionStatus" of={list} field="correctionStatus" />,
        <SelectFilter
          key="enrolPhoto"
          of={list}
          field="enrolPhoto"
          label="入学照片"
          options={yesNo('有照片', '缺照片')}
        />,
      ]
    case 'admission_commitment':
      return [
        <EnumFilter key="conclusion" of={list} field="conclusion" label="结论" />,
        <EnumFilter key="chsiPreCheck" of={list} field="chsiPreCheck" label="清查结果" />,
        <EnumFilter key="evidenceKind" of={list} field="evidenceKind" />,
        <SelectFilter key="signed" of={list} field="signed" label="承诺书" options={yesNo('已签', '未签')} />,
      ]
    case 'graduation_information':
      return [
        <EnumFilter key="photoCheck" of={list} field="photoCheck" label="三照比对" />,
        <SelectFilter
          key="graduationPhoto"
          of={list}
          field="graduationPhoto"
          label="照片"
          options={yesNo('有照片', '缺照片')}
        />,
        <DateRangeFilter key="expected" of={list} from="expectedFrom" to="expectedTo" label="预计毕业" />,
      ]
  }
}

const exportSets = [{ name: '名册', columns: ['学号', '姓名', '年级', '层次', '专业', '站点', '班级', '状态'] }]

const help: Record<Kind, string> = {
  admission_information: '学生核对将终身使用的学籍信息；有误的开启信息更正，处理后才能通过。',
  admission_commitment: '学生提交入学前学历证明并签署承诺书；不合格的可发起退学。',
  graduation_information: '学生填写毕业生登记表；三照比对一致后审核通过。',
}

const Students = ({ group }: { group: Group }) => {
  const table = useQueryTable(group.list)
  const call = useCall()
  const places = usePlaces()
  const navigate = useNavigate()
  const pack = usePack(group)
  const fill = useDrawer<View>()
  const review = useDrawer<Row>()
  const reject = useDrawer<Row>()
  const takeBack = useDrawer<Row>()
  const returnMany = useDrawer<Ticked>()
  const opinion = useDrawer<Ticked>()
  const photos = useDrawer<Comparing>()
  const paper = useDrawer<Wanted>()
  const change = useDrawer<Opening>()
  const items = table.tickedRows.map(itemOf)
  const isCommitment = group.kind === 'admission_commitment'
  const numberOf: Ticked['numberOf'] = ({ id }) => {
    const row = table.tickedRows.find((each) => each.id === id)
    return row?.studentNo ?? row?.examineeNo ?? undefined
  }
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    numberOf,
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  /** A form begins with what was filled in already. */
  const opening = useMutation({
    mutationFn: (id: number) => call(group.view, { query: { id } }),
    onSuccess: (view) => fill.open(view),
  })
  const entries: Record<StepName, (row: Row) => RowAction> = {
    fill: (row) => ({ label: '代填', do: group.fill, onClick: () => opening.mutate(row.id) }),
    review: (row) => ({ label: '审核', do: group.review, onClick: () => review.open(row) }),
    reject: (row) => ({ label: '退回', do: group.reject, danger: true, onClick: () => reject.open(row) }),
    takeBack: (row) => ({ label: '撤销通过', do: group.review, danger: true, onClick: () => takeBack.open(row) }),
    print: (row) => ({
      label: '打印',
      do: group.print,
      onClick: () => paper.open({ id: row.id, name: row.name }),
    }),
    download: (row) => ({
      label: isCommitment ? '下载承诺书' : '下载',
      do: group.download,
      onClick: () => pack.mutate({ body: { ids: [row.id] }, name: row.name }),
    }),
    photos: (row) => ({
      label: '三照比对',
      do: checkGraduationPhotos,
      onClick: () => photos.open({ rows: table.rows, at: table.rows.findIndex(({ id }) => id === row.id) }),
    }),
    withdraw: (row) => ({
      label: '发起退学',
      do: saveChange,
      danger: true,
      onClick: () =>
        change.open({
          student: { id: row.studentId, name: row.name },
          type: 'dropout',
          reasonCode: 'qualification_failed',
        }),
    }),
    correction: (row) => ({
      label: '查看更正',
      do: listCorrections,
      onClick: () => navigate(correctionPlace(places, row)),
    }),
  }
  const actionsOf = (row: Row): RowAction[] => [
    ...stepsOf(group.kind, row).map((name) => entries[name](row)),
    { label: '查看', do: group.view, onClick: () => table.open(row) },
  ]
  const passing = { result: 'pass' as const, ...(isCommitment && { conclusion: 'qualified' as const }) }
  const bulk: BulkEntry[] = [
    bulkStep(group.reviewMany, {
      label: '批量通过',
      confirm: (count) => ({
        title: `通过选中的${count}人？`,
        content: isCommitment
          ? '结论记为合格；未提交的会保留并说明原因。'
          : '未提交、核对不符未处理和三照不一致的会保留并说明原因。',
      }),
      input: () => ({ body: { items, ...passing } }),
      all: (filter) => ({ body: { filter, ...passing } }),
    }),
    {
      label: '批量退回',
      do: group.reviewMany,
      open: () => returnMany.open(chosen({ items }, items.length)),
      openAll: (filter, count) => returnMany.open(chosen({ filter }, count)),
    },
    {
      label: '打包下载',
      do: group.download,
      open: (ids) => pack.mutate({ body: { ids: [...ids] } }),
      openAll: (filter) => pack.mutate({ body: { filter } }),
    },
  ]
  const ofGraduation: BulkEntry[] = [
    {
      label: '三照比对',
      do: checkGraduationPhotos,
      open: () => photos.open({ rows: table.tickedRows, at: 0 }),
    },
    {
      label: '批量鉴定意见',
      do: writeGraduationOpinions,
      open: () => opinion.open(chosen({ items }, items.length)),
      openAll: (filter, count) => opinion.open(chosen({ filter }, count)),
    },
  ]
  return (
    <Page title={`${group.title}-学生统计`} help={help[group.kind]} personal>
      <Segments table={table} field="status" label="信息状态" />
      <FilterBar table={table}>
        <OptionFilter of={group.list} field="gradeId" {...grades} />
        <TextFilter of={group.list} field="keyword" label="姓名或号码" />
        <OptionFilter of={group.list} field="siteId" {...sites} />
        <OptionFilter of={group.list} field="classId" {...classes} />
        {ownFilters(group)}
        <OptionFilter of={group.list} field="levelId" {...levels} />
        <OptionFilter of={group.list} field="majorId" {...majors} />
        <EnumFilter of={group.list} field="studyForm" />
        <SelectFilter of={group.list} field="unassigned" label="分班" options={yesNo('未分班', '已分班')} />
        <OptionFilter
          of={group.list}
          field="managerId"
          label="班主任"
          options={listOptions}
          query={basicOptions('classManager')}
        />
        <DateRangeFilter of={group.list} from="submittedFrom" to="submittedTo" label="提交时间" />
        <SelectFilter of={group.list} field="counted" label="应提交" options={yesNo('是', '否')} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columnsOfState(group, table.filters.status)}
        nameOf={(row) => row.name}
        tools={
          <Space size={4}>
            {isCommitment && (
              <ImportButton
                do={importPreChecks}
                template={fetchPreCheckTemplate}
                what="清查结果"
                label="导入清查结果"
              />
            )}
            <ExportButton do={group.exports} table={table} sets={exportSets} />
          </Space>
        }
        bulk={group.kind === 'graduation_information' ? [...bulk, ...ofGraduation] : bulk}
        actionsWidth={215}
        actions={actionsOf}
        file={(row) => <InformationFile group={group} id={row.id} />}
        empty={`还没有需要${group.form}的学生。报到或开放采集后，学生在这里等待提交。`}
      />
      <FillForm key={`fill-${fill.key}`} {...fill.props} group={group} />
      <ReviewDrawer key={`review-${review.key}`} {...review.props} group={group} rows={table.rows} />
      <RejectForm key={`reject-${reject.key}`} {...reject.props} group={group} />
      <TakeBackForm key={`back-${takeBack.key}`} {...takeBack.props} group={group} />
      <ReturnManyForm key={`return-${returnMany.key}`} {...returnMany.props} group={group} />
      <OpinionForm key={`opinion-${opinion.key}`} {...opinion.props} />
      <PhotoCheck key={`photos-${photos.key}`} {...photos.props} />
      <InformationPapers key={`paper-${paper.key}`} {...paper.props} group={group} />
      <ChangeForm key={`change-${change.key}`} {...change.props} />
    </Page>
  )
}

export const InformationStudentsPage = () => <Students group={information} />
export const QualificationStudentsPage = () => <Students group={qualification} />
export const GraduationStudentsPage = () => <Students group={graduation} />
