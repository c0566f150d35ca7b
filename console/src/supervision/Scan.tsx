import { Button } from '@arco-design/web-react'
import { IconSync } from '@arco-design/web-react/icon'
import { IN_BACKGROUND } from '@/kit/actions'
import { formatNumber } from '@/kit/format'
import { useAction } from '@/kit/useAction'
import { scanSuperviseCases } from './api'
import { type ScanFilter, scannedBy } from './superviseRules'

/** 重新扫描: whoever studies where the list is narrowed to, now instead of at night. */
export const Scan = ({ filter }: { filter: ScanFilter }) => {
  const scan = useAction(scanSuperviseCases, {
    done: ({ jobId, students, done, opened }) =>
      jobId
        ? IN_BACKGROUND
        : `已扫描${formatNumber(students)}名学生，${formatNumber(done)}名有变化，新增${formatNumber(opened)}个案例`,
  })
  return (
    <Button
      icon={<IconSync />}
      loading={scan.isPending}
      title="按现在的学习数据重新找出筛选范围内落后的学生；一次最多20000名，每晚自动扫描全部"
      onClick={() => scan.mutate({ body: { filter: scannedBy(filter) } })}
    >
      重新扫描
    </Button>
  )
}
