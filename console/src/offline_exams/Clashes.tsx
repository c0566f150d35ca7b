import { Alert, Button } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { saveBlob } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { csvOf } from '@/kit/csv'
import { formatNumber } from '@/kit/format'
import { listOfflineClashes } from './api'

/** Who would be in two examinations at once, with the list to be downloaded. */
export const Clashes = ({ setupId, sessionId }: { setupId: number; sessionId: number }) => {
  const request = useRequest()
  const may = useAllowed()(listOfflineClashes)
  const { data } = useQuery({
    queryKey: [listOfflineClashes.path, setupId, sessionId],
    queryFn: ({ signal }) => request(listOfflineClashes, { query: { setupId, sessionId } }, { signal }),
    enabled: may,
  })
  if (!data || data.list.length === 0) return null
  const save = () => {
    const rows = data.list.map(({ studentNo, name, course }) => [studentNo ?? '', name, course])
    saveBlob(csvOf(['学号', '姓名', '冲突的课程'], rows), '考试时间冲突.csv')
  }
  return (
    <Alert
      className="form-lead"
      type="warning"
      content={`${formatNumber(data.list.length)}名考生在该时间还有其他考试：${[...new Set(data.list.map(({ course }) => `《${course}》`))].join('、')}`}
      action={
        <Button size="small" onClick={save}>
          下载名单
        </Button>
      }
    />
  )
}
