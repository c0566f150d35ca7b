import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { changeBannerStatus, deleteBanner, editBanner, listBanners, saveBanner } from './api'

const columns = columnsOf(listBanners, [
  { field: 'title', width: 220, fixed: 'left' },
  { field: 'standing', fixed: 'left', tones: { waiting: 'busy', shown: 'good', ended: 'quiet', disabled: 'quiet' } },
  {
    field: 'imageUrl',
    width: 130,
    render: ({ imageUrl, title }) => <img className="banner-thumb" src={imageUrl} alt={title} loading="lazy" />,
  },
  'position',
  'terminal',
  'beginsAt',
  'endsAt',
  'sort',
  { field: 'linkUrl', width: 200, hidden: true },
  { field: 'target', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 横幅管理: of the operator's clients, or of the school's. */
export const BannersPage = () => {
  const table = useQueryTable(listBanners)
  const navigate = useNavigate()
  return (
    <Page title="横幅管理" help="客户端顶部的图片；每个位置最多展示10张，按排序从小到大。">
      <FilterBar table={table}>
        <TextFilter of={listBanners} field="title" />
        <EnumFilter of={listBanners} field="position" />
        <EnumFilter of={listBanners} field="terminal" />
        <EnumFilter of={listBanners} field="standing" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(banner) => banner.title}
        primary={
          <Can do={saveBanner}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(paths.bannerAdd)}>
              新增横幅
            </Button>
          </Can>
        }
        actions={(banner) => [
          { label: '编辑', do: editBanner, onClick: () => navigate(`${paths.bannerEdit}?id=${banner.id}`) },
          step(changeBannerStatus, {
            label: banner.enabled ? '停用' : '启用',
            with: { body: { id: banner.id, enabled: !banner.enabled, version: banner.version } },
            done: banner.enabled ? `已停用“${banner.title}”` : `已启用“${banner.title}”`,
            undo: () =>
              undoBy(changeBannerStatus, {
                body: { id: banner.id, enabled: banner.enabled, version: banner.version + 1 },
              }),
          }),
          step(deleteBanner, {
            label: '删除',
            danger: true,
            with: { query: { id: banner.id } },
            confirm: { title: `确定删除“${banner.title}”吗？`, content: '删除后不能恢复。' },
            done: `已删除“${banner.title}”`,
          }),
        ]}
        empty="还没有横幅。点击“新增横幅”上传第一张。"
      />
    </Page>
  )
}
