import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { Correction } from '@/homework/RejudgeDrawer'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { rejudgeExam, viewAttempt } from './api'

const TITLE = '更正答案'

interface RejudgeProps {
  /** A sheet that has the question. */
  sheetId: number
  name: string
  onClose: () => void
}

/** 更正答案 of an examination: what it changes is looked at first, then all sheets are marked anew. */
export const ExamRejudge = ({ sheetId, name, onClose }: RejudgeProps) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewAttempt.path, sheetId],
    queryFn: ({ signal }) => request(viewAttempt, { query: { sheetId } }, { signal }),
  })
  return (
    <Drawer title={TITLE} width={720} visible footer={null} onCancel={onClose}>
      <DialogName name={TITLE} />
      <p className="form-lead">
        试题取自{name}；更正后，用到这道题的全部答卷重新评分。成绩登记表已提交的须先退回；更正后请重新转入成绩。
      </p>
      <Loaded query={query}>
        {(view) => (
          <MediaOf files={view.media}>
            <Correction items={view.items} do={rejudgeExam} onClose={onClose} />
          </MediaOf>
        )}
      </Loaded>
    </Drawer>
  )
}
