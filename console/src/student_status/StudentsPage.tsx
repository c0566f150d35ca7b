import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { AutoDivide } from './AutoDivide'
import {
  divideStudents,
  editStudent,
  exportStudents,
  importStudents,
  listStudents,
  saveStudent,
  studentImportTemplate,
  viewStudent,
} from './api'
import { classes, grades, levels, majors, sites } from './choices'
import { DivideForm, type Seated } from './DivideForm'
import { ImportPhotos } from './ImportPhotos'
import { StudentFile } from './StudentFile'
import { type Student, StudentForm } from './StudentForm'
import { registerTones, statusTones } from './tones'
import './studentStatus.css'

type Row = RowOf<typeof listStudents>

/** 录取、入学、学历: a full dot where there is a photo. */
const PhotoDots = ({ row }: { row: Row }) => {
  const kinds = [
    ['录取', row.admissionPhoto],
    ['入学', row.enrolPhoto],
    ['学历', row.graduationPhoto],
  ] as const
  const words = kinds.map(([kind, has]) => `${kind}照片${has ? '有' : '无'}`).join('，')
  return (
    <span className="photo-dots" role="img" aria-label={words} title={words}>
      {kinds.map(([kind, has]) => (
        <i key={kind} className={has ? 'has' : undefined} />
      ))}
    </span>
  )
}

const columns = columnsOf(listStudents, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', width: 140 },
  { field: 'examineeNo', width: 150 },
  { field: 'gender', width: 70 },
  {
    field: 'idCardNo',
    width: 220,
    render: (row) => <Masked entity="student" id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="student" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'gradeName', width: 90 },
  { field: 'levelName', width: 90 },
  { field: 'majorName', width: 160 },
  'studyForm',
  { field: 'siteName', width: 160 },
  { field: 'className', width: 240 },
  { field: 'status', tones: statusTones },
  'enrolledOn',
  'expectedGraduationOn',
  { field: 'registerResult', tones: registerTones },
  {
    field: 'admissionPhoto',
    title: '照片',
    help: '依次为录取、入学、学历照片，实心为已有',
    width: 90,
    render: (row) => <PhotoDots row={row} />,
  },
  { field: 'source', hidden: true },
  { field: 'suspendedUntil', hidden: true },
  { field: 'maxStudyEndOn', hidden: true },
])

const scopes = listStudents.fields.scope?.options ?? []
const EVERYBODY = 'all'

/** 在籍学生: the register. */
export const StudentsPage = () => {
  const table = useQueryTable(listStudents)
  const form = useDrawer<Student>()
  const divide = useDrawer<Seated>()
  const call = useCall()
  const mayDivide = useAllowed()(divideStudents)
  const items = (ids: readonly number[]) =>
    table.rows.filter((row) => ids.includes(row.id)).map(({ id, version }) => ({ id, version }))
  const opening = useMutation({
    mutationFn: (id: number) => call(viewStudent, { query: { id } }),
    onSuccess: (student) => form.open(student),
  })
  return (
    <Page title="在籍学生" help="学生的学籍档案；关键信息通过信息更正和学籍异动修改。" personal>
      <div className="list-tabs">
        <TabList
          label="学籍状态"
          tabs={scopes}
          value={table.filters.scope ?? EVERYBODY}
          onChange={(scope) => table.setFilters({ scope: scope === EVERYBODY ? undefined : scope })}
        />
      </div>
      <FilterBar table={table}>
        <TextFilter of={listStudents} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudents} field="gradeId" {...grades} />
        <OptionFilter of={listStudents} field="levelId" {...levels} />
        <OptionFilter of={listStudents} field="siteId" {...sites} />
        <OptionFilter of={listStudents} field="majorId" {...majors} />
        <EnumFilter of={listStudents} field="studyForm" />
        <OptionFilter of={listStudents} field="classId" {...classes} />
        <EnumFilter of={listStudents} field="status" />
        <EnumFilter of={listStudents} field="registerResult" />
        <SelectFilter
          of={listStudents}
          field="assigned"
          options={[
            { value: 'true', label: '已分班' },
            { value: 'false', label: '未分班' },
          ]}
        />
        <EnumFilter of={listStudents} field="photoMissing" />
        <EnumFilter of={listStudents} field="source" />
        <DateRangeFilter of={listStudents} from="enrolledFrom" to="enrolledTo" label="入学日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        primary={
          <Can do={saveStudent}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增学生
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportButton do={importStudents} template={studentImportTemplate} what="学生" />
            <ImportPhotos />
            <AutoDivide />
            <ExportButton do={exportStudents} table={table} />
          </Space>
        }
        bulk={
          mayDivide
            ? [
                {
                  label: '分班',
                  do: divideStudents,
                  open: (ids) => divide.open({ items: items(ids), done: table.clearSelection }),
                },
                bulkStep(divideStudents, {
                  label: '移出班级',
                  danger: true,
                  confirm: (count) => ({ title: `将选中的${count}名学生移出班级？`, content: '移出后为未分班。' }),
                  input: (ids) => ({ body: { items: items(ids) } }),
                }),
              ]
            : []
        }
        actionsWidth={80}
        actions={(row) => [{ label: '编辑', do: editStudent, onClick: () => opening.mutate(row.id) }]}
        file={(row) => <StudentFile id={row.id} />}
        empty="还没有学生。可新增，或下载模板批量导入。"
      />
      <StudentForm key={form.key} {...form.props} />
      <DivideForm key={`divide-${divide.key}`} {...divide.props} />
    </Page>
  )
}
