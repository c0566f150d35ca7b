import { Drawer, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { SchoolNotices } from '@/kit/SchoolNotices'
import { Word } from '@/kit/Status'
import type { DrawerProps } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { holdPersonalBatch, listPersonalBatches } from './api'

type PersonalBatch = RowOf<typeof listPersonalBatches>

/** As many as one answer may have; no school has so many batches. */
const MOST = 500

/** 暂停清理 or 恢复清理. */
const holding = ({ batchId, name, hold, version }: PersonalBatch) =>
  step(holdPersonalBatch, {
    label: hold ? '恢复清理' : '暂停清理',
    with: { body: { batchId, hold: !hold, version } },
    confirm: hold
      ? { title: `恢复清理“${name}”？`, content: '已到清理日期的，将在次日凌晨清理，清理后不能恢复。' }
      : { title: `暂停清理“${name}”？`, content: '到期后个人信息继续保留，直到恢复清理。' },
    done: hold ? `已恢复清理“${name}”` : `已暂停清理“${name}”`,
  })

const keyOf = ({ schoolId, batchId }: PersonalBatch) => `${schoolId ?? ''}-${batchId}`

const Batches = () => {
  const request = useRequest()
  const overAll = isOverAll(useSchoolContext())
  const mayHold = useAllowed()(holdPersonalBatch) && !overAll
  const query = useQuery({
    queryKey: [listPersonalBatches.path],
    queryFn: ({ signal }) =>
      request(listPersonalBatches, { body: { pageCurrent: FIRST_PAGE, pageSize: MOST } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ list, notices }) => (
        <>
          <SchoolNotices operation={listPersonalBatches} notices={notices ?? []} />
          {overAll && list.length > 0 && <p className="form-lead">选定院校后可以暂停或恢复清理。</p>}
          <Table
            size="small"
            rowKey={keyOf}
            border={{ wrapper: true }}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            data={list}
            noDataElement={<Empty description="90天内没有需要清理的批次" />}
            columns={[
              ...(overAll ? [{ title: '院校', dataIndex: 'schoolName', width: 160 }] : []),
              { title: '批次', dataIndex: 'name' },
              {
                title: '结束时间',
                dataIndex: 'endsAt',
                width: 150,
                render: (at: string) => formatTime(at, 'YYYY-MM-DD HH:mm'),
              },
              { title: '清理日期', dataIndex: 'dueOn', width: 110 },
              {
                title: '清理人数',
                dataIndex: 'rows',
                width: 90,
                align: 'right' as const,
                render: (rows: number) => formatNumber(rows),
              },
              {
                title: '状态',
                dataIndex: 'hold',
                width: 100,
                render: (hold: boolean) => <Word tone={hold ? 'warning' : 'busy'}>{hold ? '已暂停' : '到期清理'}</Word>,
              },
              ...(mayHold
                ? [
                    {
                      title: '操作',
                      dataIndex: 'batchId',
                      width: 100,
                      render: (_: unknown, batch: PersonalBatch) => <RowActions actions={[holding(batch)]} />,
                    },
                  ]
                : []),
            ]}
          />
        </>
      )}
    </Loaded>
  )
}

/** 个人信息清理: what is taken away soon, and what is held back. */
export const PrivacyDrawer = ({ visible, onClose }: DrawerProps<undefined>) => {
  const title = '个人信息清理'
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <p className="form-lead">
        批次结束满24个月的当日凌晨4:40，自动清理其中未录取人员（含回收站）的个人信息：姓名、证件号、手机和通讯地址改为“*”，
        出生日期、邮箱、邮编、户籍地、单位、职业、推荐人、毕业证书号、网报号、考生号、自定义字段和审核意见清空，照片和材料删除。
        清理后不能恢复；报名、通过等人数不变，已录取的人员不受影响。
      </p>
      <p className="form-lead">以下批次已到期或将在90天内到期。确需继续保留的，请暂停清理。</p>
      <Batches />
    </Drawer>
  )
}
