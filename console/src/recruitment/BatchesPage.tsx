import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { grades } from '@/basic_data/choices'
import { bulkStep, type RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { RichTextView } from '@/kit/RichTextView'
import { Segments } from '@/kit/Segments'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changePreRegistrationBatchStatus,
  copyPreRegistrationBatch,
  deletePreRegistrationBatch,
  deletePreRegistrationBatches,
  editPreRegistrationBatch,
  exportPreRegistrationBatches,
  listPersonalBatches,
  listPreRegistrationBatches,
  listPreRegistrations,
  savePreRegistrationBatch,
  setPreRegistrationBatchMajors,
  viewPreRegistrationBatch,
  viewPreRegistrationBatchMajors,
} from './api'
import { BatchForm, CopyForm } from './BatchForm'
import { BatchLink } from './BatchLink'
import { BatchOffer, type Offer } from './BatchOffer'
import { PrivacyDrawer } from './PrivacyDrawer'

type Batch = RowOf<typeof listPreRegistrationBatches>
type View = RowOf<typeof viewPreRegistrationBatch>

const MINUTE = 'YYYY-MM-DD HH:mm'

const columns = columnsOf(listPreRegistrationBatches, [
  { field: 'name', width: 200, fixed: 'left' },
  {
    field: 'phase',
    width: 90,
    fixed: 'left',
    tones: { not_started: 'busy', open: 'good', ended: 'quiet', closed: 'warning' },
  },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', title: '编码', width: 120, under: 'name' },
  { field: 'gradeName', title: '年级', width: 90 },
  {
    field: 'levels',
    title: '层次',
    width: 150,
    render: ({ levels }) => levels.map(({ name }) => name).join('、'),
  },
  {
    field: 'startsAt',
    title: '起止时间',
    width: 280,
    render: ({ startsAt, endsAt }) => `${formatTime(startsAt, MINUTE)} 至 ${formatTime(endsAt, MINUTE)}`,
  },
  { field: 'total', width: 90, help: '预报名人数，不含回收站' },
  { field: 'approved', width: 90, help: '审核状态为已通过的人数' },
  { field: 'majorCount', hidden: true },
  { field: 'needAudit', hidden: true },
  { field: 'privacyHold', hidden: true, help: '个人信息到期后暂不清理' },
  { field: 'createdAt', hidden: true },
])

/** 报名须知 below the fields of the list. */
const Notice = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [viewPreRegistrationBatch.path, id],
    queryFn: () => call(viewPreRegistrationBatch, { query: { id } }),
  })
  return (
    <Loaded query={query} rows={3}>
      {({ notice }) => (notice ? <RichTextView html={notice} /> : <p className="nothing">没有填写报名须知</p>)}
    </Loaded>
  )
}

const trail = historyOf(viewPreRegistrationBatch, 'pre_registration_batch')

const detail = (batch: Batch) => (
  <>
    <Can do={viewPreRegistrationBatch}>
      <section aria-label="报名须知">
        <h3>报名须知</h3>
        <Notice id={batch.id} />
      </section>
    </Can>
    {trail(batch)}
  </>
)

/** 预报名批次: windows in which people tell the school that they want to study. */
export const BatchesPage = () => {
  const table = useQueryTable(listPreRegistrationBatches)
  const form = useDrawer<View>()
  const offer = useDrawer<Offer>()
  const copy = useDrawer<Batch>()
  const link = useDrawer<Batch>()
  const privacy = useDrawer<undefined>()
  const call = useCall()
  const navigate = useNavigate()
  const places = usePlaces()
  const editing = useMutation({
    mutationFn: (id: number) => call(viewPreRegistrationBatch, { query: { id } }),
    onSuccess: (batch) => form.open(batch),
  })
  const offering = useMutation({
    mutationFn: async ({ id, name, levels }: Pick<Batch, 'id' | 'name' | 'levels'>): Promise<Offer> => {
      const offered = await call(viewPreRegistrationBatchMajors, { query: { id } })
      return { ...offered, name, levels }
    },
    onSuccess: (offered) => offer.open(offered),
  })
  /** What a new batch offers is asked for at once. */
  const offerNew = async (id: number) => {
    const { name, levels } = await call(viewPreRegistrationBatch, { query: { id } })
    offering.mutate({ id, name, levels })
  }
  const mayOffer = useAllowed()(setPreRegistrationBatchMajors)
  const actionsOf = (batch: Batch): RowAction[] => [
    { label: '编辑', do: editPreRegistrationBatch, onClick: () => editing.mutate(batch.id) },
    { label: '专业站点', do: setPreRegistrationBatchMajors, onClick: () => offering.mutate(batch) },
    { label: '报名链接', do: viewPreRegistrationBatch, onClick: () => link.open(batch) },
    {
      label: '查看名单',
      do: listPreRegistrations,
      onClick: () => navigate(places('preRegistrations', { batchId: batch.id })),
    },
    switching(changePreRegistrationBatchStatus, batch, '停用后不再接受报名，已有的预报名保持不变。'),
    { label: '复制到新年级', do: copyPreRegistrationBatch, onClick: () => copy.open(batch) },
    {
      ...removal(deletePreRegistrationBatch, batch),
      disabled: batch.total > 0 ? '批次下有预报名，不能删除' : undefined,
    },
  ]
  return (
    <Page title="预报名批次" help="一个年级的预报名窗口：起止时间、招生层次，以及可报的专业和站点。">
      <Segments table={table} field="phase" label="报名阶段" />
      <FilterBar table={table}>
        <OptionFilter of={listPreRegistrationBatches} field="gradeId" {...grades} />
        <EnumFilter of={listPreRegistrationBatches} field="phase" />
        <TextFilter of={listPreRegistrationBatches} field="keyword" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(batch) => batch.name}
        primary={
          <Can do={savePreRegistrationBatch}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增批次
            </Button>
          </Can>
        }
        tools={
          <>
            <Can do={listPersonalBatches}>
              <Button onClick={() => privacy.open()}>个人信息清理</Button>
            </Can>
            <ExportButton do={exportPreRegistrationBatches} table={table} />
          </>
        }
        bulk={[
          bulkStep(deletePreRegistrationBatches, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('预报名批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={detail}
        actionsWidth={220}
        actions={actionsOf}
        empty="还没有预报名批次。点击“新增批次”，再设置专业站点。"
      />
      <BatchForm key={form.key} {...form.props} onNew={(id) => mayOffer && offerNew(id)} />
      <BatchOffer key={`offer-${offer.key}`} {...offer.props} />
      <CopyForm key={`copy-${copy.key}`} {...copy.props} />
      <BatchLink key={`link-${link.key}`} {...link.props} />
      <PrivacyDrawer key={`privacy-${privacy.key}`} {...privacy.props} />
    </Page>
  )
}
