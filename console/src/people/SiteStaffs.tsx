import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { BasicSelect, basicOptions, known } from '@/basic_data/BasicSelect'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { PersonOfList } from '@/kit/PersonOfList'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { accountTones, staffTones } from '@/kit/tones'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { accountBulk, accountSteps } from './accounts'
import {
  changeSiteStaffStatus,
  deleteSiteStaff,
  deleteSiteStaffs,
  editSiteStaff,
  exportSiteStaff,
  fetchSiteStaffImportTemplate,
  importSiteStaff,
  listSiteStaff,
  resetSiteStaffPasswords,
  saveSiteStaff,
  signInAsSiteStaff,
  unlockSiteStaffAccount,
  viewSiteStaff,
} from './api'
import { usePasswordReset } from './GivenPasswords'
import { IdCardInput } from './IdCardInput'
import { OneClick, signingIn } from './OneClick'

type SiteStaff = RowOf<typeof listSiteStaff>

const calls = { change: changeSiteStaffStatus, reset: resetSiteStaffPasswords, unlock: unlockSiteStaffAccount }

const trail = historyOf(viewSiteStaff, 'site_staff')

const columns = columnsOf(listSiteStaff, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'status', width: 80, fixed: 'left', tones: staffTones },
  { field: 'accountState', width: 90, fixed: 'left', tones: accountTones },
  { field: 'siteName', title: '站点', width: 180 },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity="siteStaff" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'duty', width: 90 },
  { field: 'isPrimary', width: 110 },
  'lastLoginAt',
  { field: 'workNo', hidden: true },
  { field: 'gender', hidden: true },
  { field: 'email', hidden: true },
  { field: 'loginName', hidden: true },
  { field: 'mustChange', hidden: true },
  { field: 'remark', hidden: true },
])

/** 站点人员 of the school's own sites. */
export const SiteStaffs = () => {
  const table = useQueryTable(listSiteStaff)
  const form = useDrawer<SiteStaff>()
  const signIn = useDrawer<SiteStaff>()
  const reset = usePasswordReset(calls)
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listSiteStaff} field="keyword" />
        <OptionFilter of={listSiteStaff} field="siteId" options={listOptions} query={basicOptions('site')} />
        <EnumFilter of={listSiteStaff} field="duty" />
        <EnumFilter of={listSiteStaff} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        primary={
          <Can do={saveSiteStaff}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增站点人员
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importSiteStaff} template={fetchSiteStaffImportTemplate} what="站点人员" />
            <ExportButton do={exportSiteStaff} table={table} />
          </>
        }
        bulk={[
          ...accountBulk(calls, table.tickedRows, reset.show),
          bulkStep(deleteSiteStaffs, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('站点人员'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => (
          <PersonOfList
            label="站点人员资料"
            row={row}
            columns={columns}
            name={row.name}
            number={{ label: '工号', value: row.workNo }}
            status="status"
            facts={['siteName', 'duty', 'phone', 'lastLoginAt']}
            edit={{ do: editSiteStaff, fields: ['phone', 'duty', 'email', 'remark'] }}
            history={trail(row)}
          />
        )}
        actionsWidth={210}
        actions={(row) => [
          { label: '编辑', do: editSiteStaff, onClick: () => form.open(row) },
          ...accountSteps(calls, row, reset.ask),
          signingIn(signInAsSiteStaff, row, signIn.open),
          removal(deleteSiteStaff, row),
        ]}
        empty="还没有站点人员。先为每个站点新增负责人。"
      />
      <SiteStaffForm key={form.key} {...form.props} />
      <OneClick key={`sign-in-${signIn.key}`} {...signIn.props} operation={signInAsSiteStaff} client="站点端" />
      {reset.shown}
    </>
  )
}

/** A resident's number says the birthday too, which nobody asks for here. */
const ONLY_GENDER = ['gender'] as const

const Field = fieldsOf(saveSiteStaff)

const SiteStaffForm = ({ record, ...drawer }: DrawerProps<SiteStaff>) => (
  <FormDrawer<SiteStaff, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑站点人员 ${record.name}` : '新增站点人员'}
    initial={{ status: 'active', isPrimary: false }}
    action={(person) =>
      person ? formAction(editSiteStaff, '已保存站点人员', person) : formAction(saveSiteStaff, '已新增站点人员')
    }
    reload={(person, call) => call(viewSiteStaff, { query: { id: person.id } })}
    keep={['siteId', 'duty', 'status']}
  >
    <Field name="siteId">
      <BasicSelect type="site" known={known(record?.siteId, record?.siteName)} />
    </Field>
    <Field name="name" />
    <Field name="phone" help={record?.phone ? '不修改时保留原号码' : '没有工号时用于登录'} />
    <Field name="duty" />
    <Field name="isPrimary" help="每个站点一名" />
    <Field name="workNo" help="用于登录" />
    <Field name="idCardNo" help={record?.idCardNo ? '不修改时保留原内容' : undefined}>
      <IdCardInput stored={record?.idCardNo} maxLength={30} fills={ONLY_GENDER} />
    </Field>
    <Field name="gender" />
    <Field name="email" help={record?.email ? '不修改时保留原内容' : undefined} />
    <Field name="status" />
    <Field name="remark" />
  </FormDrawer>
)
