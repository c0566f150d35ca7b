import { useMutation } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { listClasses } from '@/basic_data/api'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { bulkStep, type RowAction, step, withSchool } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { TabList } from '@/kit/TabList'
import { accountTones } from '@/kit/tones'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { OneClick, signingIn } from '@/people/OneClick'
import {
  changeStudentAccountStatus,
  editStudentContact,
  exportStudentAccounts,
  generateStudentAccounts,
  listStudentAccounts,
  resetStudentPasswords,
  signInAsStudent,
  unbindStudentWechat,
  unlockStudentAccount,
  viewStudentAccount,
} from './api'
import { ClassCounts } from './ClassCounts'
import { type Contact, ContactForm } from './ContactForm'
import { statusTones } from './tones'

type Row = RowOf<typeof listStudentAccounts>

const columns = columnsOf(listStudentAccounts, [
  { field: 'name', width: 140, fixed: 'left' },
  { field: 'status', width: 80, fixed: 'left', tones: statusTones },
  { field: 'accountState', width: 90, fixed: 'left', tones: accountTones },
  { field: 'loginName', width: 150 },
  { field: 'studentNo', width: 140, under: 'name' },
  { field: 'gender', width: 70 },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity="student" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'gradeName', width: 90 },
  { field: 'levelName', width: 90 },
  { field: 'majorName', width: 160 },
  { field: 'siteName', width: 160 },
  { field: 'className', width: 200 },
  'firstLoginAt',
  'lastLoginAt',
  { field: 'mustChange', hidden: true },
  { field: 'wechatBound', hidden: true },
])

/** What is done to an account carries the account's version; making one carries the student's. */
const accountOf = (row: Row) => ({ id: row.id, version: row.accountVersion ?? 0 })
const studentOf = (row: Row) => ({ id: row.id, version: row.version })

const stepsOf = (row: Row): RowAction[] => {
  if (row.accountState === 'none') {
    return [
      step(generateStudentAccounts, {
        label: '生成账号',
        with: { body: { items: [studentOf(row)] } },
        done: `已为“${row.name}”生成账号`,
      }),
    ]
  }
  const items = [accountOf(row)]
  const off = row.accountState === 'disabled'
  return [
    step(changeStudentAccountStatus, {
      label: off ? '启用' : '停用',
      danger: !off,
      with: { body: { items, enabled: off } },
      confirm: off ? undefined : { title: `停用“${row.name}”的账号？`, content: '学生会立即退出，且不能再登录。' },
      done: off ? `已启用“${row.name}”的账号` : `已停用“${row.name}”的账号`,
      undo: () =>
        undoBy(changeStudentAccountStatus, {
          body: { items: [{ id: row.id, version: (row.accountVersion ?? 0) + 1 }], enabled: !off },
        }),
    }),
    step(resetStudentPasswords, {
      label: '重置密码',
      with: { body: { items } },
      confirm: { title: `重置“${row.name}”的密码？`, content: '恢复为初始密码，学生下次登录时须修改。' },
      done: `已重置“${row.name}”的密码`,
    }),
    ...(row.accountState === 'locked'
      ? [step(unlockStudentAccount, { label: '解锁', with: { body: { items } }, done: `已解锁“${row.name}”` })]
      : []),
    ...(row.wechatBound
      ? [
          step(unbindStudentWechat, {
            label: '解绑微信',
            with: { body: { items } },
            confirm: { title: `解除“${row.name}”的微信绑定？`, content: '学生需要重新绑定后才能用微信登录。' },
            done: `已解绑“${row.name}”的微信`,
          }),
        ]
      : []),
  ]
}

const tabs = [
  ['accounts', '学生账号'],
  ['classes', '班级人数'],
] as const
type Tab = (typeof tabs)[number][0]

/** 学生账号: who may sign in as a student; beside it, how full the classes are. */
export const AccountsPage = () => {
  const [wanted, setTab] = usePageTab()
  const mayCount = useAllowed()(listClasses)
  const tab: Tab = mayCount && wanted === 'classes' ? 'classes' : 'accounts'
  return (
    <Page title="学生账号" help="学生登录学习平台的账号；学籍资料在“在籍学生”中维护。" personal={tab === 'accounts'}>
      {mayCount && (
        <div className="list-tabs">
          <TabList
            label="学生账号和班级人数"
            tabs={tabs}
            value={tab}
            onChange={(next) => setTab(next === 'classes' ? next : undefined)}
          />
        </div>
      )}
      {tab === 'classes' ? (
        <SchoolFirst>
          <ClassCounts />
        </SchoolFirst>
      ) : (
        <Accounts />
      )}
    </Page>
  )
}

const Accounts = () => {
  const table = useQueryTable(listStudentAccounts)
  const form = useDrawer<Contact>()
  const signIn = useDrawer<Row>()
  const call = useCall()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewStudentAccount, { query: { id } }),
    onSuccess: ({ student }) => form.open(student),
  })
  const accounts = table.tickedRows.map((row) => withSchool(row, accountOf(row)))
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listStudentAccounts} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudentAccounts} field="gradeId" {...grades} />
        <EnumFilter of={listStudentAccounts} field="accountState" />
        <OptionFilter of={listStudentAccounts} field="siteId" {...sites} />
        <OptionFilter of={listStudentAccounts} field="levelId" {...levels} />
        <OptionFilter of={listStudentAccounts} field="majorId" {...majors} />
        <EnumFilter of={listStudentAccounts} field="studyForm" />
        <OptionFilter of={listStudentAccounts} field="classId" {...classes} />
        <SelectFilter
          of={listStudentAccounts}
          field="signedIn"
          options={[
            { value: 'true', label: '登录过' },
            { value: 'false', label: '从未登录' },
          ]}
        />
        <DateRangeFilter of={listStudentAccounts} from="lastLoginFrom" to="lastLoginTo" label="最近登录" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportStudentAccounts} table={table} />}
        bulk={[
          bulkStep(generateStudentAccounts, {
            label: '生成账号',
            confirm: (count) => ({ title: `为选中的${count}名学生生成账号？`, content: '已有账号的会说明原因。' }),
            input: () => ({ body: { items: table.tickedRows.map(studentOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(changeStudentAccountStatus, {
            label: '启用',
            confirm: (count) => ({ title: `启用选中的${count}个账号？` }),
            input: () => ({ body: { items: accounts, enabled: true } }),
            all: (filter) => ({ body: { filter, enabled: true } }),
          }),
          bulkStep(changeStudentAccountStatus, {
            label: '停用',
            danger: true,
            confirm: (count) => ({ title: `停用选中的${count}个账号？`, content: '学生会立即退出，且不能再登录。' }),
            input: () => ({ body: { items: accounts, enabled: false } }),
            all: (filter) => ({ body: { filter, enabled: false } }),
          }),
          bulkStep(resetStudentPasswords, {
            label: '重置密码',
            danger: true,
            confirm: (count) => ({ title: `重置选中的${count}个账号的密码？`, content: '恢复为初始密码。' }),
            input: () => ({ body: { items: accounts } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(unlockStudentAccount, {
            label: '解锁',
            confirm: (count) => ({
              title: `解锁选中的${count}个账号？`,
              content: '输错密码的次数清零，可以立即登录。',
            }),
            input: () => ({ body: { items: accounts } }),
            all: (filter) => ({ body: { filter } }),
          }),
        ]}
        actionsWidth={210}
        actions={(row) => [
          { label: '联系方式', do: editStudentContact, onClick: () => opening.mutate(row.id) },
          ...stepsOf(row),
          ...(row.accountState === 'none' ? [] : [signingIn(signInAsStudent, row, signIn.open)]),
        ]}
        empty="还没有学生。学生报到或导入后，在这里生成账号。"
      />
      <ContactForm key={form.key} {...form.props} />
      <OneClick key={`sign-in-${signIn.key}`} {...signIn.props} operation={signInAsStudent} client="学生端" />
    </>
  )
}
