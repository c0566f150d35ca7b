import { Button, Progress, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { editQuota, listQuotas } from './api'

type Quota = RowOf<typeof listQuotas>

const Field = fieldsOf(editQuota)

const percentOf = ({ used, monthlyLimit }: Quota) =>
  monthlyLimit === 0 ? 0 : Math.min(100, Math.round((used / monthlyLimit) * 100))

const QuotaForm = (drawer: DrawerProps<Quota>) => (
  <FormDrawer
    {...drawer}
    title={`设置配额 ${drawer.record?.schoolName ?? ''}`}
    action={(quota) => formAction(editQuota, '已保存配额', quota)}
  >
    <Field name="monthlyLimit" help="短信条数，本月起生效；0为不限" />
  </FormDrawer>
)

/** 短信配额: what each school has used of this month. */
export const QuotasTab = () => {
  const quotas = useQuery({ queryKey: [listQuotas.path], queryFn: () => call(listQuotas, { query: {} }) })
  const edit = useDrawer<Quota>()
  return (
    <>
      <Table
        rowKey="schoolId"
        size="small"
        border={{ wrapper: true }}
        loading={quotas.isPending}
        data={quotas.data ?? []}
        pagination={false}
        noDataElement={quotas.isError ? <Failed error={quotas.error} retry={() => quotas.refetch()} /> : '没有院校'}
        columns={[
          { title: '院校', dataIndex: 'schoolName' },
          { title: '月份', width: 100, render: (_, quota: Quota) => quota.month.slice(0, 7) },
          { title: '已用条数', width: 120, align: 'right', render: (_, quota: Quota) => formatNumber(quota.used) },
          {
            title: '每月上限',
            width: 120,
            align: 'right',
            render: (_, quota: Quota) => (quota.monthlyLimit === 0 ? '不限' : formatNumber(quota.monthlyLimit)),
          },
          {
            title: '用量',
            width: 200,
            render: (_, quota: Quota) => <Progress percent={percentOf(quota)} aria-label={`${quota.schoolName}用量`} />,
          },
          {
            title: '操作',
            width: 90,
            render: (_, quota: Quota) => (
              <Can do={editQuota}>
                <Button type="text" size="small" onClick={() => edit.open(quota)}>
                  设置
                </Button>
              </Can>
            ),
          },
        ]}
      />
      <QuotaForm key={edit.key} {...edit.props} />
    </>
  )
}
