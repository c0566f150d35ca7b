import { Alert, Button, Modal } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest, useSchoolContext } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { Can } from '@/kit/Can'
import { CopyButton } from '@/kit/CopyButton'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { QrCode } from '@/kit/QrCode'
import { QueryTable } from '@/kit/QueryTable'
import { removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { DictionaryFilter } from '@/settings/DictionaryFilter'
import {
  deletePromotionLink,
  drawPromotionLink,
  editPromotionLink,
  listPromotionLinks,
  savePromotionLink,
  switchPromotionLink,
} from './api'
import { PromotionForm } from './PromotionForm'
import './statistics.css'

type PromotionLink = RowOf<typeof listPromotionLinks>

const trail = historyOf(listPromotionLinks, 'promotion_link')

const columns = columnsOf(listPromotionLinks, [
  { field: 'name', width: 200, fixed: 'left' },
  { field: 'code', under: 'name' },
  { field: 'enabled', title: '状态', width: 84, fixed: 'left' },
  { field: 'channelName', title: '来源渠道', width: 130 },
  { field: 'targetPage', width: 110 },
  { field: 'batchName', title: '预报名批次', width: 170 },
  { field: 'siteName', title: '站点', width: 150 },
  { field: 'views', title: '浏览量', width: 100 },
  { field: 'createdAt', width: 170 },
])

/** Where a link leads, to be scanned or copied. */
const Address = ({ link, onClose }: { link: PromotionLink; onClose: () => void }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [drawPromotionLink.path, link.id],
    queryFn: ({ signal }) => request(drawPromotionLink, { query: { id: link.id } }, { signal }),
  })
  return (
    <Modal title={`${link.name}的二维码`} visible footer={null} style={{ width: 420 }} onCancel={onClose}>
      <Loaded query={query} rows={4}>
        {({ url }) => (
          <div className="promotion-code">
            {!link.enabled && <Alert type="warning" content="链接已停用：打开后的访问不再计入该链接。" />}
            <QrCode text={url} label={`${link.name}的二维码`} />
            <p>
              {url}
              <CopyButton label="地址" value={url} />
            </p>
          </div>
        )}
      </Loaded>
    </Modal>
  )
}

/** 推广链接: a link for each poster or agent, by which their visitors are told apart. */
export const PromotionLinks = () => {
  const table = useQueryTable(listPromotionLinks)
  const form = useDrawer<PromotionLink>()
  const [shown, setShown] = useState<PromotionLink>()
  const inSchool = useSchoolContext().area === 'school'
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listPromotionLinks} field="name" />
        <DictionaryFilter of={listPromotionLinks} field="sourceChannel" type="source_channel" />
        {inSchool && <OptionFilter of={listPromotionLinks} field="siteId" {...sites} />}
        <EnabledFilter of={listPromotionLinks} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={inSchool ? columns : columns.filter(({ key }) => key !== 'siteName' && key !== 'batchName')}
        nameOf={({ name }) => name}
        primary={
          <Can do={savePromotionLink}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增推广链接
            </Button>
          </Can>
        }
        detail={trail}
        actionsWidth={210}
        actions={(link) => [
          { label: '二维码', do: drawPromotionLink, onClick: () => setShown(link) },
          { label: '编辑', do: editPromotionLink, onClick: () => form.open(link) },
          switching(switchPromotionLink, link, '停用后打开该链接的访问不再计入该链接。'),
          {
            ...removal(deletePromotionLink, link),
            disabled: link.views > 0 ? `该链接已有${formatNumber(link.views)}次访问，请停用` : undefined,
          },
        ]}
        empty="还没有推广链接。为每张海报、每位代理各建一个，就能看到访客和预报名由谁带来。"
      />
      <PromotionForm key={form.key} inSchool={inSchool} {...form.props} />
      {shown && <Address link={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
