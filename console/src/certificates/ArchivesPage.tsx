import { Button, Form, InputNumber, Space, Switch, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import type { BodyOf, DataOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { BulkResult, Saved } from '@/api/types/shared'
import { classes, levels, majors, sites } from '@/basic_data/choices'
import { bulkStep, byState, IN_BACKGROUND, type RowAction, step } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { Chart } from '@/kit/Chart'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FileLink } from '@/kit/FileLink'
import { FileUpload } from '@/kit/FileUpload'
import { FilterBar } from '@/kit/FilterBar'
import { FormDialog } from '@/kit/FormDialog'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { MoreTools } from '@/kit/MoreTools'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { RowActions } from '@/kit/RowActions'
import { Segments } from '@/kit/Segments'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { filterOf, useFileOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  countArchives,
  downloadArchive,
  downloadArchives,
  exportArchives,
  fetchArchiveHandoverTemplate,
  generateArchives,
  handOverArchives,
  importArchiveHandovers,
  listArchives,
  printArchiveBundles,
  printArchiveCatalogues,
  printArchiveLabels,
  sealArchives,
  unsealArchive,
  uploadArchiveItem,
  viewArchive,
  waiveArchiveItem,
} from './api'
import { type Archive, archiveTones, can, completenessOf, type SiteStat } from './certificateWords'
import { graduationBatches } from './choices'
import '@/kit/figures.css'

type Item = DataOf<typeof viewArchive>['items'][number]

const trail = historyOf(viewArchive, 'archive')

const itemName = (code: string) => labelOf(uploadArchiveItem, 'code', code)

const columns = columnsOf(listArchives, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: archiveTones },
  { field: 'archiveNo', width: 180 },
  {
    field: 'readyCount',
    title: '齐全度',
    width: 90,
    help: '已备和免交的材料 / 应备材料',
    render: ({ readyCount, neededCount }) => `${formatNumber(readyCount)} / ${formatNumber(neededCount)}`,
  },
  { field: 'missing', width: 240, render: ({ missing }) => missing.map(itemName).join('、') || '—' },
  { field: 'handedTo', width: 150 },
  { field: 'handedOn', width: 110 },
  { field: 'trackingNo', width: 130 },
  { field: 'majorName', width: 150 },
  { field: 'levelName', width: 100 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 150, hidden: true },
  { field: 'batchName', width: 160, hidden: true },
  { field: 'sealedByName', width: 100, hidden: true },
  { field: 'sealedAt', width: 170, hidden: true },
  { field: 'unsealReason', width: 160, hidden: true },
])

interface ItemWish {
  archive: Archive
  item: Item
}

const Uploaded = fieldsOf(uploadArchiveItem)

const UploadForm = ({ record: wish, ...drawer }: DrawerProps<ItemWish>) => (
  <FormDrawer<{ fileKey?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`上传${wish ? itemName(wish.item.code) : ''} ${wish?.archive.name ?? ''}`}
    okText="上传"
    action={() => formAction(uploadArchiveItem, '已上传材料', { id: wish?.archive.id, code: wish?.item.code })}
  >
    <p className="form-hint">替换的文件作为以前的版本保留。</p>
    <Uploaded name="fileKey" help="PDF、图片或ZIP">
      <FileUpload type={3} purpose="registration" accept=".pdf,.jpg,.jpeg,.png,.zip" />
    </Uploaded>
  </FormDrawer>
)

/** 材料 of an archive: what is there, what is lacking, and what may be put there. */
const ArchiveFile = ({ archive }: { archive: Archive }) => {
  const request = useRequest()
  const upload = useDrawer<ItemWish>()
  const reason = useDrawer<Reasoned>()
  const { id } = archive
  const query = useQuery({
    queryKey: [viewArchive.path, id],
    queryFn: ({ signal }) => request(viewArchive, { query: { id } }, { signal }),
  })
  const addressOf = async (itemId: number) => {
    const fresh = await request(viewArchive, { query: { id } })
    return fresh.items.find((item) => item.id === itemId)?.url
  }
  return (
    <>
      <Loaded query={query}>
        {({ items, bundleSha256 }) => (
          <>
            <Table
              size="small"
              rowKey="id"
              border={{ wrapper: true }}
              pagination={false}
              data={items}
              columns={[
                {
                  title: '材料',
                  render: (_: unknown, item: Item) => (
                    <>
                      {itemName(item.code)} {item.needed && <Word tone="busy">必备</Word>}
                    </>
                  ),
                },
                {
                  title: '状态',
                  width: 80,
                  render: (_: unknown, { status }: Item) => (
                    <Word tone={status === 'missing' ? 'bad' : 'good'}>
                      {status === 'missing' ? '缺' : status === 'ready' ? '已备' : '免'}
                    </Word>
                  ),
                },
                {
                  title: '文件',
                  render: (_: unknown, item: Item) => (
                    <>
                      <FileLink name={item.fileName} address={() => addressOf(item.id)} />
                      {item.waiveReason && `免交：${item.waiveReason}`}
                      {item.formerCount > 0 && `（以前${item.formerCount}个版本）`}
                    </>
                  ),
                },
                { title: '页数', width: 60, align: 'right', render: (_: unknown, { pages }: Item) => pages ?? '—' },
                {
                  title: '备齐时间',
                  width: 160,
                  render: (_: unknown, item: Item) => formatTime(item.generatedAt) || '—',
                },
                {
                  title: '操作',
                  width: 130,
                  render: (_: unknown, item: Item) => (
                    <RowActions
                      actions={[
                        {
                          label: '上传',
                          do: uploadArchiveItem,
                          disabled: can.fill(archive),
                          onClick: () => upload.open({ archive, item }),
                        },
                        {
                          label: '免交',
                          do: waiveArchiveItem,
                          disabled: can.fill(archive) ?? (item.status === 'missing' ? undefined : '材料已备'),
                          onClick: () =>
                            reason.open({
                              title: `免交${itemName(item.code)}`,
                              verb: '免交',
                              do: waiveArchiveItem,
                              body: { id, code: item.code },
                              done: `已免交${itemName(item.code)}`,
                            }),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
            {bundleSha256 && <p className="form-hint">全卷校验码（SHA-256）：{bundleSha256}</p>}
            {trail({ id })}
          </>
        )}
      </Loaded>
      <UploadForm key={upload.key} {...upload.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </>
  )
}

interface Ticked {
  ids: number[]
  title: string
  done: (failed: BulkResult['failed']) => void
}

const Handed = fieldsOf(handOverArchives)

const HandoverForm = ({ record: ticked, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ to?: string; date?: string; trackingNo?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={ticked?.title ?? '移交档案'}
    okText="移交"
    action={() => formAction(handOverArchives, ({ done }) => `已移交${formatNumber(done)}份档案`, { ids: ticked?.ids })}
    onSaved={(answer) => {
      ticked?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('移交档案', answer)
    }}
  >
    <Handed name="to" />
    <Handed name="date" />
    <Handed name="trackingNo" />
  </FormDrawer>
)

interface PackProps {
  batchId: number
  siteId: number | undefined
  onClose: () => void
}

const MOST_VOLUMES = 1000

/** 打包下载 of a batch, a volume at a time: the job says how many there are. */
const PackDialog = ({ batchId, siteId, onClose }: PackProps) => (
  <FormDialog<{ volume?: number }, unknown>
    title="打包下载档案"
    okText="打包下载"
    lead={
      <p className="dialog-lead">
        {siteId === undefined ? '本批次' : '所选站点'}
        的档案按站点分文件夹，每卷不超过2GB；完成后在任务中心下载，并说明共有几卷。
      </p>
    }
    action={({ volume }, call) => call(downloadArchives, { body: { batchId, siteId, volume } })}
    onDone={async () => {
      onClose()
      await refetchAll()
      tellSuccess(IN_BACKGROUND)
    }}
    onClose={onClose}
  >
    <Form.Item field="volume" label="卷" extra="不填为第1卷">
      <InputNumber aria-label="卷" min={1} max={MOST_VOLUMES} precision={0} hideControl />
    </Form.Item>
  </FormDialog>
)

const STATES = [
  ['collecting', 'collecting'],
  ['complete', 'complete'],
  ['sealed', 'sealed'],
  ['handed_over', 'handedOver'],
] as const

/** 齐全度: how many archives of the list are in each state, and how many of each site lack nothing. */
const Completeness = ({ body }: { body: BodyOf<typeof countArchives> }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [countArchives.path, body],
    queryFn: ({ signal }) => request(countArchives, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query} rows={3}>
      {/* Of no archives there is no share: the list below says so. */}
      {(counted) => counted.length > 0 && <Shares of={counted} />}
    </Loaded>
  )
}

const Shares = ({ of: counted }: { of: readonly SiteStat[] }) => (
  <>
    <Chart
      data={{
        title: '齐全度',
        kind: 'share',
        unit: '份',
        series: [
          {
            name: '份数',
            points: STATES.map(([status, field]) => ({
              name: labelOf(listArchives, 'status', status),
              value: counted.reduce((sum, site) => sum + site[field], 0),
            })).filter(({ value }) => value > 0),
          },
        ],
      }}
    />
    {counted.length > 1 && (
      <Chart
        data={{
          title: '各站点齐全度',
          kind: 'bar',
          unit: '%',
          series: [{ name: '齐全', points: completenessOf(counted) }],
        }}
      />
    )}
  </>
)

/** 生成 of the papers of a batch; what people sent in stays, unless it is to be replaced. */
const GenerateDialog = ({ batchId, onClose }: { batchId: number; onClose: () => void }) => (
  <FormDialog<{ replaceUploaded?: boolean }, unknown>
    title="生成本批次的档案材料"
    okText="生成"
    lead={<p className="dialog-lead">未归档的重新生成系统材料，原文件作为以前的版本保留。</p>}
    action={({ replaceUploaded = false }, call) => call(generateArchives, { body: { batchId, replaceUploaded } })}
    onDone={async () => {
      onClose()
      await refetchAll()
      tellSuccess(IN_BACKGROUND)
    }}
    onClose={onClose}
  >
    <Form.Item
      field="replaceUploaded"
      label="替换上传的材料"
      triggerPropName="checked"
      extra="不选时人工上传的材料保持不变"
    >
      <Switch aria-label="替换上传的材料" />
    </Form.Item>
  </FormDialog>
)

/** 毕业档案: one electronic archive a graduate, generated, sealed and handed over (04 §11). */
export const ArchivesPage = () => {
  const table = useQueryTable(listArchives)
  const handover = useDrawer<Ticked>()
  const reason = useDrawer<Reasoned>()
  const labels = useFileOf(printArchiveLabels)
  const catalogues = useFileOf(printArchiveCatalogues)
  const bundles = useFileOf(printArchiveBundles)
  const generate = useAction(generateArchives, { done: () => IN_BACKGROUND })
  const fetching = useAction(downloadArchive, { onDone: ({ url }) => window.open(url, '_blank', 'noopener') })
  const [packing, setPacking] = useState(false)
  const [drawn, draw] = useState(false)
  const [generating, setGenerating] = useState(false)
  const batchId = Number(table.filters.batchId) || undefined
  const siteId = Number(table.filters.siteId) || undefined
  const noBatch = batchId === undefined ? '请先在筛选中选择毕业批次' : undefined
  const give = (ids: readonly number[], title: string) =>
    handover.open({ ids: [...ids], title, done: (failed) => table.tickRows(failed) })
  const prints = [
    { label: '档案袋标签', do: printArchiveLabels, file: labels },
    { label: '卷内目录', do: printArchiveCatalogues, file: catalogues },
    { label: '全卷', do: printArchiveBundles, file: bundles },
  ]
  const actions = (row: Archive): RowAction[] => [
    step(sealArchives, {
      label: '归档',
      disabled: can.seal(row),
      with: { body: { ids: [row.id] } },
      confirm: { title: `归档${row.name}的档案？`, content: '生成全卷并固定校验码，归档后不能修改，成绩也不能更正。' },
      done: `已归档${row.name}的档案`,
    }),
    {
      label: '移交',
      do: handOverArchives,
      disabled: can.handOver(row),
      onClick: () => give([row.id], `移交档案 ${row.name}`),
    },
    {
      label: '生成材料',
      do: generateArchives,
      disabled: can.fill(row),
      onClick: () => generate.mutate({ body: { batchId: row.batchId, ids: [row.id], replaceUploaded: false } }),
    },
    { label: '查看', do: viewArchive, onClick: () => table.open(row) },
    {
      label: '下载',
      do: downloadArchive,
      disabled: can.download(row),
      onClick: () => fetching.mutate({ query: { id: row.id } }),
    },
    ...prints.map(
      ({ label, do: operation, file }): RowAction => ({
        label: `打印${label}`,
        do: operation,
        onClick: () => file.mutate({ input: { body: { ids: [row.id] } }, name: `${label}_${row.name}.pdf` }),
      }),
    ),
    {
      label: '取消归档',
      do: unsealArchive,
      danger: true,
      disabled: can.unseal(row),
      onClick: () =>
        reason.open({
          title: `取消归档 ${row.name}`,
          verb: '取消归档',
          hint: '取消后可以修改材料，再归档生成新的全卷。',
          do: unsealArchive,
          body: { id: row.id, version: row.version },
          done: `已取消${row.name}的归档`,
          danger: true,
        }),
    },
  ]
  return (
    <Page title="毕业档案" help="批次确认后为每名毕业生建立；材料齐全后归档，随后移交。" personal>
      <Segments table={table} field="status" label="档案状态" />
      <FilterBar table={table}>
        <OptionFilter of={listArchives} field="batchId" {...graduationBatches} />
        <TextFilter of={listArchives} field="keyword" label="学号或姓名" />
        <EnumFilter of={listArchives} field="missing" label="缺少材料" />
        <OptionFilter of={listArchives} field="siteId" {...sites} />
        <OptionFilter of={listArchives} field="levelId" {...levels} />
        <OptionFilter of={listArchives} field="majorId" {...majors} />
        <OptionFilter of={listArchives} field="classId" {...classes} />
      </FilterBar>
      {drawn && <Completeness body={{ ...filterOf(table.body), status: undefined }} />}
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={generateArchives}>
              <Button
                type="primary"
                disabled={noBatch !== undefined}
                title={noBatch}
                loading={generate.isPending}
                onClick={() => setGenerating(true)}
              >
                生成材料
              </Button>
            </Can>
            <Can do={downloadArchives}>
              <Button disabled={noBatch !== undefined} title={noBatch} onClick={() => setPacking(true)}>
                打包下载
              </Button>
            </Can>
          </Space>
        }
        tools={
          <Space size={4}>
            <Can do={countArchives}>
              <Button
                aria-expanded={drawn}
                disabled={!drawn && table.total === 0}
                title={!drawn && table.total === 0 ? '没有档案可以统计' : undefined}
                onClick={() => draw(!drawn)}
              >
                齐全度
              </Button>
            </Can>
            <MoreTools of={prints.map((print) => print.do)}>
              {prints.map(({ label, do: operation, file }) => (
                <Can key={label} do={operation}>
                  <Button
                    loading={file.isPending}
                    disabled={table.total === 0}
                    title={table.total === 0 ? '没有可打印的档案' : undefined}
                    onClick={() => file.mutate({ input: { body: filterOf(table.body) }, name: `${label}.pdf` })}
                  >
                    打印{label}
                  </Button>
                </Can>
              ))}
            </MoreTools>
            <ImportButton
              do={importArchiveHandovers}
              template={fetchArchiveHandoverTemplate}
              what="移交信息"
              label="导入移交信息"
            />
            <ExportButton do={exportArchives} table={table} />
          </Space>
        }
        bulk={[
          {
            label: '生成材料',
            do: generateArchives,
            open: (ids) => {
              const [first] = table.tickedRows
              if (first) generate.mutate({ body: { batchId: first.batchId, ids: [...ids], replaceUploaded: false } })
            },
          },
          bulkStep(sealArchives, {
            label: '批量归档',
            confirm: (count) => ({
              title: `归档选中的${formatNumber(count)}份档案？`,
              content: '一次最多50份；缺少材料的会保留并说明原因。',
            }),
            input: (ids) => ({ body: { ids } }),
          }),
          {
            label: '批量移交',
            do: handOverArchives,
            open: (ids) => give(ids, `移交${formatNumber(ids.length)}份档案`),
          },
          ...prints.map(({ label, do: operation, file }) => ({
            label: `打印${label}`,
            do: operation,
            open: (ids: readonly number[]) => file.mutate({ input: { body: { ids: [...ids] } }, name: `${label}.pdf` }),
          })),
        ]}
        file={(row) => <ArchiveFile archive={row} />}
        actionsWidth={190}
        actions={(row) => byState(actions(row))}
        empty="还没有毕业档案。毕业批次确认后自动建立。"
      />
      <HandoverForm key={handover.key} {...handover.props} />
      {packing && batchId !== undefined && (
        <PackDialog batchId={batchId} siteId={siteId} onClose={() => setPacking(false)} />
      )}
      {generating && batchId !== undefined && <GenerateDialog batchId={batchId} onClose={() => setGenerating(false)} />}
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </Page>
  )
}
