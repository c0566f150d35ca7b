import { Button } from '@arco-design/web-react'
import { IconSync } from '@arco-design/web-react/icon'
import { IN_BACKGROUND } from '@/kit/actions'
import { formatNumber } from '@/kit/format'
import { useAction } from '@/kit/useAction'
import { scanSuperviseCases } from './api'

/** 重新扫描: everybody in one's scope, now instead of at night. */
export const Scan = () => {
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
      title="按现在的学习数据重新找出落后的学生；每晚自动进行"
      onClick={() => scan.mutate({ body: {} })}
    >
      重新扫描
    </Button>
  )
}
