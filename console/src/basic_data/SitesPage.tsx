import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { RegionFilter } from '@/settings/RegionFilter'
import { RegionSelect } from '@/settings/RegionSelect'
import {
  changeSiteStatus,
  deleteSite,
  deleteSites,
  editSite,
  exportSites,
  fetchSiteImportTemplate,
  importSites,
  listSites,
  saveSite,
  viewSite,
} from './api'
import { BasicSelect, basicOptions, known } from './BasicSelect'
import { SiteFile } from './SiteFile'
import { type SiteChange, SiteStatus, siteSteps } from './SiteStatus'

type Site = RowOf<typeof listSites>

const hasExpired = (day: string | null | undefined) => !!day && day < formatTime(new Date(), 'YYYY-MM-DD')

const columns = columnsOf(listSites, [
  { field: 'name', width: 180, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: { active: 'good', suspended: 'warning', closed: 'quiet' } },
  { field: 'code', width: 80, under: 'name' },
  { field: 'kind', width: 120 },
  { field: 'regionName', title: '地区', width: 150 },
  { field: 'organizationName', title: '管理机构' },
  'contact',
  {
    field: 'phone',
    render: (site) => <Masked entity="site" id={site.id} field="phone" label="电话" value={site.phone} />,
  },
  'filingNo',
  {
    field: 'filingExpiresOn',
    title: '有效期',
    width: 190,
    render: ({ filingExpiresOn }) => (
      <>
        {filingExpiresOn ?? <span className="nothing">—</span>}
        {hasExpired(filingExpiresOn) && <Word tone="bad">备案已过期</Word>}
      </>
    ),
  },
  'classCount',
  {
    field: 'studentCount',
    title: '在籍/容量',
    help: '待注册、在籍、休学和超学制的学生；容量0表示不限',
    width: 120,
    render: (site) => `${formatNumber(site.studentCount)} / ${site.capacity ? formatNumber(site.capacity) : '不限'}`,
  },
  { field: 'hostUnit', hidden: true },
  {
    field: 'address',
    hidden: true,
    render: (site) => <Masked entity="site" id={site.id} field="address" label="地址" value={site.address} />,
  },
  {
    field: 'email',
    hidden: true,
    render: (site) => <Masked entity="site" id={site.id} field="email" label="邮箱" value={site.email} />,
  },
])

/** 站点管理: where a school meets its students. */
export const SitesPage = () => {
  const table = useQueryTable(listSites)
  const form = useDrawer<Site>()
  const status = useDrawer<SiteChange>()
  return (
    <Page title="站点管理" help="校本部与校外教学点；停招后不再用于新的招生，已有班级继续运行。">
      <FilterBar table={table}>
        <TextFilter of={listSites} field="keyword" />
        <EnumFilter of={listSites} field="kind" />
        <EnumFilter of={listSites} field="status" />
        <OptionFilter
          of={listSites}
          field="organizationId"
          options={listOptions}
          query={basicOptions('organization')}
        />
        <RegionFilter of={listSites} field="region" />
        <SelectFilter
          of={listSites}
          field="filingExpired"
          options={[
            { value: 'true', label: '已过期' },
            { value: 'false', label: '未过期' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(site) => site.name}
        primary={
          <Can do={saveSite}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增站点
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importSites} template={fetchSiteImportTemplate} what="站点" />
            <ExportButton do={exportSites} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteSites, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('站点'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        actions={(site) => [
          { label: '编辑', do: editSite, onClick: () => form.open(site) },
          ...siteSteps(site.status).map(({ label, to }) => ({
            label,
            do: changeSiteStatus,
            danger: to !== 'active',
            onClick: () => status.open({ site, to, label }),
          })),

          removal(deleteSite, site),
        ]}
        file={(site) => <SiteFile site={site} fields={columns} />}
        empty="还没有站点。先新增校本部，再登记校外教学点。"
      />
      <SiteForm key={form.key} {...form.props} />
      <SiteStatus key={`status-${status.key}`} {...status.props} />
    </Page>
  )
}

const Field = fieldsOf(saveSite)

const SiteForm = ({ record, ...drawer }: DrawerProps<Site>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={record ? `编辑站点 ${record.name}` : '新增站点'}
    width={720}
    initial={{ capacity: 0 }}
    action={(site) => (site ? formAction(editSite, '已保存站点', site) : formAction(saveSite, '已新增站点'))}
    reload={(site, call) => call(viewSite, { query: { id: site.id } })}
    keep={['kind', 'organizationId']}
  >
    <Field name="code" />
    <Field name="name" />
    <Field name="shortName" help="用于自动生成的班级名称" />
    <Field name="kind" />
    <Field name="organizationId">
      <BasicSelect type="organization" known={known(record?.organizationId, record?.organizationName)} />
    </Field>
    <Field name="hostUnit" help="校外教学点必填" />
    <Field name="filingNo" />
    <Field name="filingExpiresOn" />
    <Field name="region">
      <RegionSelect />
    </Field>
    <Field name="address" help={record?.address ? '不修改时保留原地址' : undefined} />
    <Field name="contact" />
    <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
    <Field name="email" help={record?.email ? '不修改时保留原邮箱' : undefined} />
    <Field name="capacity" help="0表示不限" />
  </FormDrawer>
)
