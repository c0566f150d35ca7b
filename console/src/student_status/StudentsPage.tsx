import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useCall, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { fetchChsiResultTemplate, importChsiResults } from '@/chsi/api'
import { ChsiExport } from '@/chsi/ChsiExport'
import { listCorrections, saveCorrection } from '@/corrections/api'
import { type Asked, CorrectionForm, newCorrection } from '@/corrections/CorrectionForm'
import { CorrectionsList } from '@/corrections/CorrectionsList'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { MoreTools } from '@/kit/MoreTools'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { saveMessage } from '@/messages/api'
import { paths } from '@/paths'
import { saveChange } from '@/status_change/api'
import { ChangeForm, type Opening } from '@/status_change/ChangeForm'
import { saveStudentNoRule } from '@/student_numbers/api'
import { AutoDivide } from './AutoDivide'
import {
  countStudents,
  divideStudents,
  editStudent,
  exportStudents,
  fetchFeeFlagTemplate,
  fetchStudentNumberTemplate,
  generateStudentNumbers,
  importFeeFlags,
  importStudentNumbers,
  importStudentPhotos,
  importStudents,
  listStudents,
  listStudentsAsOf,
  markStudentsExpired,
  printStudent,
  registerStudents,
  saveStudent,
  studentImportTemplate,
  viewStudent,
} from './api'
import { backToClasses } from './backToClasses'
import { expired, registered, suspended } from './columns'
import { DivideForm, type Students } from './DivideForm'
import { ExportPhotos } from './ExportPhotos'
import { ImportPhotos } from './ImportPhotos'
import { NumberRules } from './NumberRules'
import { RegisterForm } from './RegisterForm'
import { RollFigures } from './RollFigures'
import { StudentFile } from './StudentFile'
import { type Student, StudentForm } from './StudentForm'
import { StudentPaper, type Wanted } from './StudentPaper'
import { StudentsAsOf } from './StudentsAsOf'
import './studentStatus.css'

/** The tabs; the two further values are screens of their own. */
const scopes = (listStudents.fields.scope?.options ?? []).filter(([scope]) => scope !== 'left' && scope !== 'finished')
const EVERYBODY = 'all'
/** The tab beside the statuses: what is asked for of the students' key fields. */
const CORRECTIONS = 'corrections'
const corrections = [[CORRECTIONS, '信息更正']] as const
/** Who stands in the register: each status has its tab. */
const statuses = scopes.map(([scope]) => scope)

/** What a list of students is usually handed on for. */
const exportSets = [
  {
    name: '学信网',
    columns: [
      '考生号',
      '学号',
      '姓名',
      '性别',
      '证件类型',
      '证件号',
      '层次',
      '专业',
      '学习形式',
      '入学日期',
      '预计毕业',
    ],
  },
  { name: '保险', columns: ['姓名', '性别', '证件类型', '证件号', '手机'] },
  { name: '考点', columns: ['学号', '姓名', '证件号', '层次', '专业', '站点', '班级'] },
  { name: '班主任', columns: ['学号', '姓名', '性别', '手机', '班级', '学籍状态'] },
]

const columnsOfTab = (scope: string) => {
  if (scope === 'suspended') return suspended
  return scope === 'expired' ? expired : registered
}

/** 在籍学生: the register, and the corrections of its key fields. */
export const StudentsPage = () => {
  const [wanted, setTab] = usePageTab()
  const mayCorrect = useAllowed()(listCorrections)
  const inCorrections = mayCorrect && wanted === CORRECTIONS
  return (
    <Page title="在籍学生" help="学生的学籍档案；关键信息通过信息更正和学籍异动修改。" personal>
      {inCorrections ? (
        <>
          <div className="list-tabs">
            <TabList
              label="学籍状态"
              tabs={[...scopes, ...corrections]}
              value={CORRECTIONS}
              onChange={(scope) => setTab(undefined, scope === EVERYBODY ? {} : { scope })}
            />
          </div>
          <CorrectionsList />
        </>
      ) : (
        <Register onCorrections={mayCorrect ? () => setTab(CORRECTIONS) : undefined} />
      )}
    </Page>
  )
}

const Register = ({ onCorrections }: { onCorrections: (() => void) | undefined }) => {
  const table = useQueryTable(listStudents, { usual: { scope: EVERYBODY } })
  const scope = table.filters.scope ?? EVERYBODY
  const form = useDrawer<Student>()
  const correction = useDrawer<Asked>()
  const change = useDrawer<Opening>()
  const divide = useDrawer<Students>()
  const call = useCall()
  const register = useDrawer<Students>()
  const paper = useDrawer<Wanted>()
  const may = useAllowed()
  const navigate = useNavigate()
  const inside = useSchoolContext().area === 'school'
  /** To whom is written stands in the address of the form. */
  const write = (ids: readonly number[]) => navigate(`${paths.messageAdd}?students=${ids.join(',')}`)
  const items = table.tickedRows.map(({ id, version }) => ({ id, version }))
  const chosen = (rows: Students['rows'], count: number): Students => ({
    rows,
    count,
    former: table.tickedRows,
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const opening = useMutation({
    mutationFn: (id: number) => call(viewStudent, { query: { id } }),
    onSuccess: (student) => form.open(student),
  })
  const correcting = useMutation({
    mutationFn: (id: number) => call(viewStudent, { query: { id } }),
    onSuccess: (student) => correction.open(newCorrection(student)),
  })
  return (
    <>
      <Segments
        table={table}
        field="scope"
        label="学籍状态"
        only={scopes.map(([each]) => each)}
        usual={EVERYBODY}
        beside={onCorrections && { tabs: corrections, onChoose: onCorrections }}
      />
      <FilterBar table={table}>
        <TextFilter of={listStudents} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudents} field="gradeId" {...grades} />
        <OptionFilter of={listStudents} field="levelId" {...levels} />
        <OptionFilter of={listStudents} field="siteId" {...sites} />
        <OptionFilter of={listStudents} field="majorId" {...majors} />
        <EnumFilter of={listStudents} field="studyForm" />
        <OptionFilter of={listStudents} field="classId" {...classes} />
        {scope === EVERYBODY && <EnumFilter of={listStudents} field="status" only={statuses} />}
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
        columns={columnsOfTab(scope)}
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
            <ImportButton
              do={importStudents}
              template={studentImportTemplate}
              what="学生"
              batch={(enteredAt) => table.setFilters({ ...noFilters(table.filters), enteredAt })}
            />
            <ExportPhotos table={table} />
            <AutoDivide />
            <ChsiExport filters={table.filters} />
            <MoreTools
              of={[
                countStudents,
                listStudentsAsOf,
                importStudentPhotos,
                importStudentNumbers,
                importChsiResults,
                importFeeFlags,
                saveStudentNoRule,
              ]}
            >
              <ImportPhotos
                do={importStudentPhotos}
                kinds={listStudents.fields.photoMissing?.options}
                usual="enrol"
                naming="压缩包内的图片以考生号、证件号或学号命名，jpg 或 png，宽高比3:4；学历照片为480×640。"
                nobody="没有对应的学生"
              />
              <ImportButton
                do={importStudentNumbers}
                template={fetchStudentNumberTemplate}
                what="学号"
                label="导入学号"
              />
              <ImportButton
                do={importChsiResults}
                template={fetchChsiResultTemplate}
                what="注册结果"
                label="导入注册结果"
              />
              <ImportButton do={importFeeFlags} template={fetchFeeFlagTemplate} what="欠费标记" label="导入欠费标记" />
              <NumberRules />
              <RollFigures table={table} />
              <StudentsAsOf />
            </MoreTools>
            <ExportButton do={exportStudents} table={table} sets={exportSets} />
          </Space>
        }
        bulk={[
          ...(may(divideStudents)
            ? [
                {
                  label: '分班',
                  do: divideStudents,
                  open: () => divide.open(chosen({ items }, items.length)),
                  openAll: (filter: object, count: number) => divide.open(chosen({ filter }, count)),
                },
                bulkStep(divideStudents, {
                  label: '移出班级',
                  danger: true,
                  confirm: (count) => ({ title: `将选中的${count}名学生移出班级？`, content: '移出后为未分班。' }),
                  input: () => ({ body: { items } }),
                  all: (filter) => ({ body: { filter } }),
                  undo: (failed) => backToClasses(table.tickedRows, failed),
                }),
              ]
            : []),
          ...(may(registerStudents)
            ? [
                bulkStep(generateStudentNumbers, {
                  label: '生成学号',
                  confirm: (count) => ({
                    title: `为选中的${count}名学生生成学号？`,
                    content: '按年级的学号规则生成，已有学号的学生不变；学号生成后不能收回。',
                  }),
                  input: () => ({ body: { items } }),
                  all: (filter) => ({ body: { filter } }),
                }),
                {
                  label: '标记已注册',
                  do: registerStudents,
                  open: () => register.open(chosen({ items }, items.length)),
                  openAll: (filter: object, count: number) => register.open(chosen({ filter }, count)),
                },
              ]
            : []),
          ...(may(markStudentsExpired)
            ? [
                bulkStep(markStudentsExpired, {
                  label: '标记超学制',
                  danger: true,
                  confirm: (count) => ({
                    title: `将选中的${count}名学生标记为超学制？`,
                    content: '只有已超过最长学习期限的在籍、休学学生会被标记；账号保留。',
                  }),
                  input: () => ({ body: { items, status: 'expired' as const } }),
                  all: (filter) => ({ body: { filter, status: 'expired' as const } }),
                }),
              ]
            : []),
          ...(inside && may(saveMessage) ? [{ label: '发消息', do: saveMessage, open: write }] : []),
        ]}
        actionsWidth={215}
        actions={(row) => [
          { label: '编辑', do: editStudent, onClick: () => opening.mutate(row.id) },
          { label: '申请更正', do: saveCorrection, onClick: () => correcting.mutate(row.id) },
          { label: '申请异动', do: saveChange, onClick: () => change.open({ student: row }) },
          {
            label: '打印学籍登记表',
            do: printStudent,
            onClick: () => paper.open({ id: row.id, name: row.name }),
          },
          ...(inside ? [{ label: '发消息', do: saveMessage, onClick: () => write([row.id]) }] : []),
        ]}
        file={(row) => <StudentFile id={row.id} />}
        empty="还没有学生。可新增，或下载模板批量导入。"
      />
      <StudentForm
        key={form.key}
        {...form.props}
        onCorrect={(student) => {
          form.props.onClose()
          correction.open(newCorrection(student))
        }}
      />
      <CorrectionForm key={`correction-${correction.key}`} {...correction.props} />
      <ChangeForm key={`change-${change.key}`} {...change.props} />
      <DivideForm key={`divide-${divide.key}`} {...divide.props} />
      <RegisterForm key={`register-${register.key}`} {...register.props} />
      <StudentPaper key={`paper-${paper.key}`} {...paper.props} />
    </>
  )
}
