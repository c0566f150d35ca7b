import { Button } from '@arco-design/web-react'
import { IconFolder } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { packPreRegistrationPapers } from './api'

interface PackPapersProps {
  table: { body: BodyOf<typeof packPreRegistrationPapers>; total: number }
}

/** 材料打包下载: photos and papers of whom the list shows, made as a job. */
export const PackPapers = ({ table }: PackPapersProps) => {
  const call = useCall()
  const packing = useMutation({
    mutationFn: () => call(packPreRegistrationPapers, { body: table.body }),
    onSuccess: () => {
      tellSuccess('正在打包材料，完成后请在任务中心下载')
      refetchAll()
    },
  })
  return (
    <Can do={packPreRegistrationPapers}>
      <Button
        icon={<IconFolder />}
        loading={packing.isPending}
        disabled={table.total === 0}
        title={table.total === 0 ? '没有可打包的人员' : '打包当前筛选名单的照片和材料'}
        onClick={() => packing.mutate()}
      >
        材料打包
      </Button>
    </Can>
  )
}
