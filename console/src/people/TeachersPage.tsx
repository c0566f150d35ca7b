import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { basicOptions } from '@/basic_data/BasicSelect'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { PersonOfList } from '@/kit/PersonOfList'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { accountTones, staffTones } from '@/kit/tones'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { accountBulk, accountSteps } from './accounts'
import {
  changeTeacherStatus,
  deleteTeacher,
  deleteTeachers,
  editTeacher,
  exportTeachers,
  fetchTeacherImportTemplate,
  importTeachers,
  listTeachers,
  resetTeacherPasswords,
  saveTeacher,
  signInAsTeacher,
  unlockTeacherAccount,
  viewTeacher,
} from './api'
import { usePasswordReset } from './GivenPasswords'
import { OneClick, signingIn } from './OneClick'
import { TeacherForm } from './TeacherForm'

type Teacher = RowOf<typeof listTeachers>

const calls = { change: changeTeacherStatus, reset: resetTeacherPasswords, unlock: unlockTeacherAccount }

const trail = historyOf(viewTeacher, 'teacher')

const columns = columnsOf(listTeachers, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'status', width: 80, fixed: 'left', tones: staffTones },
  { field: 'accountState', width: 90, fixed: 'left', tones: accountTones },
  { field: 'workNo', width: 110, under: 'name' },
  { field: 'gender', width: 70 },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity="teacher" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'organizationName', title: '机构', width: 170 },
  { field: 'title', width: 90 },
  { field: 'kind', width: 80 },
  {
    field: 'duties',
    width: 180,
    render: (row) => row.duties.map((duty) => labelOf(listTeachers, 'duties', duty)).join('、'),
  },
  'lastLoginAt',
  {
    field: 'idCardNo',
    hidden: true,
    render: (row) => <Masked entity="teacher" id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
  {
    field: 'bankCardNo',
    hidden: true,
    render: (row) => <Masked entity="teacher" id={row.id} field="bankCardNo" label="银行卡号" value={row.bankCardNo} />,
  },
  { field: 'email', hidden: true },
  { field: 'education', hidden: true },
  { field: 'degree', hidden: true },
  { field: 'bankName', hidden: true },
  { field: 'loginName', hidden: true },
  { field: 'mustChange', hidden: true },
  { field: 'remark', hidden: true },
])

/** 教师管理: who teaches, tutors, marks and invigilates. */
export const TeachersPage = () => {
  const table = useQueryTable(listTeachers)
  const form = useDrawer<Teacher>()
  const signIn = useDrawer<Teacher>()
  const reset = usePasswordReset(calls)
  return (
    <Page title="教师管理" help="教师以工号登录教师端；离职的教师保留资料，账号随之停用。" personal>
      <FilterBar table={table}>
        <TextFilter of={listTeachers} field="keyword" />
        <OptionFilter
          of={listTeachers}
          field="organizationId"
          options={listOptions}
          query={basicOptions('organization')}
        />
        <EnumFilter of={listTeachers} field="title" />
        <EnumFilter of={listTeachers} field="duty" />
        <EnumFilter of={listTeachers} field="kind" />
        <EnumFilter of={listTeachers} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        primary={
          <Can do={saveTeacher}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增教师
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton
              do={importTeachers}
              template={fetchTeacherImportTemplate}
              what="教师"
              update="工号已存在时更新该教师（空白单元格保持原值）"
            />
            <ExportButton do={exportTeachers} table={table} />
          </>
        }
        bulk={[
          ...accountBulk(calls, table.tickedRows, reset.show),
          bulkStep(deleteTeachers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('教师'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => (
          <PersonOfList
            label="教师资料"
            row={row}
            columns={columns}
            name={row.name}
            number={{ label: '工号', value: row.workNo }}
            status="status"
            facts={['organizationName', 'title', 'kind', 'phone']}
            edit={{
              do: editTeacher,
              fields: ['phone', 'title', 'kind', 'email', 'education', 'degree', 'bankName', 'bankCardNo', 'remark'],
            }}
            history={trail(row)}
          />
        )}
        actionsWidth={210}
        actions={(row) => [
          { label: '编辑', do: editTeacher, onClick: () => form.open(row) },
          ...accountSteps(calls, row, reset.ask),
          signingIn(signInAsTeacher, row, signIn.open),
          removal(deleteTeacher, row),
        ]}
        empty="还没有教师。可以逐个新增，也可以下载模板后导入。"
      />
      <TeacherForm key={form.key} {...form.props} />
      <OneClick key={`sign-in-${signIn.key}`} {...signIn.props} operation={signInAsTeacher} client="教师端" />
      {reset.shown}
    </Page>
  )
}
