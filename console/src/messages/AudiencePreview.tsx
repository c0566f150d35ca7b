import { Button } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { request } from '@/api/client'
import type { BodyOf } from '@/api/operation'
import { formatNumber } from '@/kit/format'
import { previewAudience } from './api'

type Choice = BodyOf<typeof previewAudience>

/** How many persons the choice means now, within the sender's data scope. */
export const AudiencePreview = ({ choice }: { choice: () => Choice }) => {
  const preview = useMutation({ mutationFn: () => request(previewAudience, { body: choice() }) })
  const sample = preview.data?.sample ?? []
  return (
    <div className="form-wide">
      <Button loading={preview.isPending} onClick={() => preview.mutate()}>
        预览接收人数
      </Button>
      {preview.data && (
        <span role="status">
          {' '}
          共{formatNumber(preview.data.count)}人
          {sample.length > 0 &&
            `，例如：${sample.map(({ name, siteName }) => (siteName ? `${name}（${siteName}）` : name)).join('、')}`}
        </span>
      )}
    </div>
  )
}
