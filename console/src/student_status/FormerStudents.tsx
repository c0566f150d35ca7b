import type { BodyOf, RowOf } from '@/api/operation'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import type { Column } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportStudents, listStudents, printStudent } from './api'
import { finished, left } from './columns'
import { StudentFile } from './StudentFile'
import { StudentPaper, type Wanted } from './StudentPaper'
import './studentStatus.css'

type Scope = NonNullable<BodyOf<typeof listStudents>['scope']>

interface FormerStudentsProps {
  title: string
  help: string
  scope: Scope
  columns: Column<RowOf<typeof listStudents>>[]
  /** The statuses that the screen shows. */
  statuses: readonly string[]
  /** What the day is on which they ended. */
  ended: string
  empty: string
}

/** Who is a student no more: to be looked at and exported. */
const FormerStudents = ({ title, help, scope, columns, statuses, ended, empty }: FormerStudentsProps) => {
  const table = useQueryTable(listStudents, { usual: { scope } })
  const paper = useDrawer<Wanted>()
  return (
    <Page title={title} help={help} personal>
      <FilterBar table={table}>
        <TextFilter of={listStudents} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudents} field="gradeId" {...grades} />
        <OptionFilter of={listStudents} field="levelId" {...levels} />
        <OptionFilter of={listStudents} field="siteId" {...sites} />
        <OptionFilter of={listStudents} field="majorId" {...majors} />
        <EnumFilter of={listStudents} field="studyForm" />
        <OptionFilter of={listStudents} field="classId" {...classes} />
        <EnumFilter of={listStudents} field="status" only={statuses} />
        {scope === 'left' && <EnumFilter of={listStudents} field="statusReason" />}
        <DateRangeFilter of={listStudents} from="endedFrom" to="endedTo" label={ended} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportStudents} table={table} />}
        actionsWidth={80}
        actions={(row) => [
          { label: '打印', do: printStudent, onClick: () => paper.open({ id: row.id, name: row.name }) },
        ]}
        file={(row) => <StudentFile id={row.id} />}
        empty={empty}
      />
      <StudentPaper key={paper.key} {...paper.props} />
    </Page>
  )
}

/** 退学与转出. */
export const LeftStudentsPage = () => (
  <FormerStudents
    title="退学与转出"
    help="已退学或转出的学生，只能查看、打印和导出。"
    scope="left"
    columns={left}
    statuses={['withdrawn', 'transferred_out']}
    ended="生效日期"
    empty="没有退学或转出的学生。"
  />
)

/** 毕(结)业学生. */
export const FinishedStudentsPage = () => (
  <FormerStudents
    title="毕(结)业学生"
    help="毕业、结业和肄业的学生，只能查看、打印和导出。"
    scope="finished"
    columns={finished}
    statuses={['graduated', 'completed', 'incomplete']}
    ended="毕业日期"
    empty="没有毕业、结业或肄业的学生。"
  />
)
