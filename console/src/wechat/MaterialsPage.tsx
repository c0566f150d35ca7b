import { Alert, Button, Drawer, Pagination, Skeleton } from '@arco-design/web-react'
import { IconPlus, IconSync } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import type { RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { FilterBar } from '@/kit/FilterBar'
import { TextFilter, YesNoFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { JobDialog, JobFailures } from '@/kit/JobDialog'
import { Failed, Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Nothing } from '@/kit/Nothing'
import { Page } from '@/kit/Page'
import { RichTextView } from '@/kit/RichTextView'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { removal } from '@/kit/steps'
import { TabList } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  deleteGzhMaterial,
  editGzhMaterial,
  listGzhMaterials,
  saveGzhMaterial,
  syncGzhMaterials,
  viewGzhMaterial,
} from './api'
import { type Material, MaterialForm } from './MaterialForm'
import type { MaterialKind } from './materialFile'
import { NotConfiguredOf, refusalOf, useConfigured } from './NotConfigured'
import './wechat.css'

type Row = RowOf<typeof listGzhMaterials>

const KINDS: readonly MaterialKind[] = ['image', 'voice', 'video', 'news']

const wordsOf = (kind: MaterialKind) => labelOf(listGzhMaterials, 'materialType', kind)

const tabs = KINDS.map((kind) => [kind, wordsOf(kind)] as const)

/** What a card shows of a material; what came from the provider may have no address here. */
const Media = ({ of: { materialType, name, previewUrl, articleCount } }: { of: Row }) => {
  if (materialType === 'news') return <>{articleCount}篇图文</>
  if (!previewUrl) return <>在微信中，没有预览</>
  if (materialType === 'image') return <img src={previewUrl} alt={name} loading="lazy" referrerPolicy="no-referrer" />
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has no captions
  if (materialType === 'voice') return <audio src={previewUrl} controls preload="none" aria-label={name} />
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has no captions
  return <video src={previewUrl} controls preload="metadata" aria-label={name} />
}

const Card = ({ of: row, actions }: { of: Row; actions: readonly RowAction[] }) => (
  <li className="gzh-card">
    <div className="gzh-card-media">
      <Media of={row} />
    </div>
    <span className="gzh-card-name" title={row.name}>
      {row.name}
    </span>
    <p className="gzh-card-facts">
      <Word tone={row.synced ? 'good' : 'warning'}>{row.synced ? '已同步' : '未同步'}</Word>
      {Boolean(row.durationSeconds) && <span>{row.durationSeconds}秒</span>}
      {row.used > 0 && <span>使用{row.used}次</span>}
      <span>{formatTime(row.syncedAt ?? row.createdAt)}</span>
    </p>
    <RowActions actions={actions} />
  </li>
)

/** 预览: articles as followers read them. */
const Articles = ({ record, visible, onClose }: DrawerProps<Row>) => {
  const call = useCall()
  const id = record?.id ?? 0
  const query = useQuery({
    queryKey: [listGzhMaterials.path, viewGzhMaterial.path, id],
    queryFn: () => call(viewGzhMaterial, { query: { id } }),
    enabled: visible && id > 0,
  })
  const title = `预览 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={560} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} focus />
      <Loaded query={query}>
        {({ articles }) => (
          <div className="gzh-preview">
            {articles.map((article, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: articles have no other name than their place
              <article key={at}>
                <h3>{article.title}</h3>
                <p className="form-hint">{[article.author, article.digest].filter(Boolean).join('，')}</p>
                <RichTextView html={article.content} />
                {article.linkUrl && (
                  <a href={article.linkUrl} target="_blank" rel="noopener noreferrer nofollow">
                    阅读原文
                  </a>
                )}
              </article>
            ))}
          </div>
        )}
      </Loaded>
    </Drawer>
  )
}

/** 同步: what is missing on either side goes there. */
const Sync = () => {
  const [job, setJob] = useState<number>()
  const sync = useAction(syncGzhMaterials, { onDone: ({ jobId }) => setJob(jobId) })
  const refusal = refusalOf(useConfigured(listGzhMaterials))
  return (
    <Can do={syncGzhMaterials}>
      <Button
        icon={<IconSync />}
        disabled={refusal !== undefined}
        title={refusal}
        loading={sync.isPending}
        onClick={() => sync.mutate({})}
      >
        同步
      </Button>
      {job !== undefined && (
        <JobDialog
          id={job}
          title="同步素材"
          words="正在同步"
          meanwhile="可以关闭窗口去做别的事，结果在任务中心查看。"
          onClose={() => setJob(undefined)}
        >
          {(ended) => (
            <>
              <Alert
                className="form-lead"
                type={ended.state === 'done' ? 'success' : 'error'}
                content={ended.message || '同步没有完成，请重新同步'}
              />
              <JobFailures job={ended} what="素材" />
            </>
          )}
        </JobDialog>
      )}
    </Can>
  )
}

const Materials = ({ kind }: { kind: MaterialKind }) => {
  const table = useQueryTable(listGzhMaterials, { usual: { materialType: kind } })
  const call = useCall()
  const form = useDrawer<Material>()
  const preview = useDrawer<Row>()
  const { query, rows } = table
  const words = wordsOf(kind)
  const opening = useMutation({
    mutationFn: (id: number) => call(viewGzhMaterial, { query: { id } }),
    onSuccess: (material) => form.open(material),
  })
  const actionsOf = (row: Row): RowAction[] => [
    ...(kind === 'news' ? [{ label: '预览', do: viewGzhMaterial, onClick: () => preview.open(row) }] : []),
    { label: '编辑', do: editGzhMaterial, onClick: () => opening.mutate(row.id) },
    removal(deleteGzhMaterial, { id: row.id, name: row.name }),
  ]
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listGzhMaterials} field="name" />
        <YesNoFilter of={listGzhMaterials} field="synced" />
      </FilterBar>
      <div className="toolbar">
        <Can do={saveGzhMaterial}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
            {kind === 'news' ? '新增图文' : `上传${words}`}
          </Button>
        </Can>
        <div className="toolbar-right">
          <Sync />
        </div>
      </div>
      <div className={query.isPlaceholderData ? 'table-stale' : undefined}>
        {query.isPending && <Skeleton text={{ rows: 8 }} animation />}
        {query.isError && <Failed error={query.error} retry={() => query.refetch()} />}
        {query.data && !query.isError && rows.length === 0 && (
          <Nothing
            filtered={table.isFiltered}
            reset={table.reset}
            empty={`还没有${words}素材。上传后点击“同步”，或从微信同步已有的素材。`}
          />
        )}
        {!query.isError && rows.length > 0 && (
          <ul className="gzh-grid" aria-label={`${words}素材`}>
            {rows.map((row) => (
              <Card key={row.id} of={row} actions={actionsOf(row)} />
            ))}
          </ul>
        )}
      </div>
      <Pagination
        className="pager"
        size="small"
        current={table.pageCurrent}
        pageSize={table.pageSize}
        total={table.total}
        showTotal={(count) => query.data && `共 ${formatNumber(count)} 条`}
        onChange={table.setPage}
      />
      <MaterialForm key={form.key} {...form.props} kind={kind} />
      <Articles key={`preview-${preview.key}`} {...preview.props} />
    </>
  )
}

/** 素材库: what replies send. */
export const MaterialsPage = () => {
  const [asked, setTab] = usePageTab()
  const kind = KINDS.find((each) => each === asked) ?? 'image'
  return (
    <Page title="素材库" help="自动回复使用的图片、语音、视频和图文；新增和修改后点击“同步”才发送到微信。">
      <NotConfiguredOf list={listGzhMaterials} />
      <div className="list-tabs">
        <TabList
          label="素材库"
          tabs={tabs}
          value={kind}
          onChange={(next) => setTab(next === 'image' ? undefined : next)}
        />
      </div>
      <Materials key={kind} kind={kind} />
    </Page>
  )
}
