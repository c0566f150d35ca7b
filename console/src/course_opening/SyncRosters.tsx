import { Form } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { IN_BACKGROUND } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { FormDialog } from '@/kit/FormDialog'
import type { Choice } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { syncOpenings } from './api'
import { openingsOf } from './choices'
import { syncedWords } from './openingRules'

/** What a synchronisation does, before one agrees to it. */
export const SYNC_MEANING =
  '按学生现在的学籍：新增的必修学生进入名单，转出、休学和退学的退选，换班的随班级变动。每天02:00也会自动同步。'

type Synced = DataOf<typeof syncOpenings>

/** What became of the rosters, and which openings were left as they are. */
export const tellSynced = (answer: Synced) => {
  if (answer.jobId) tellSuccess(IN_BACKGROUND)
  else if (answer.failed.length > 0) tellFailures('同步名单', answer)
  else tellSuccess(syncedWords(answer))
}

/** 同步名单 of some openings of a semester, or of all that are opened in it. */
export const SyncRosters = ({ semester, onClose }: { semester: Choice; onClose: () => void }) => (
  <FormDialog<{ ids?: number[] }, Synced>
    title={`同步${semester.desc}的名单`}
    okText="同步名单"
    lead={<p className="dialog-lead">{SYNC_MEANING}</p>}
    action={({ ids = [] }, call) =>
      call(syncOpenings, { body: ids.length > 0 ? { ids } : { semesterId: semester.code } })
    }
    onDone={async (answer) => {
      onClose()
      await refetchAll()
      tellSynced(answer)
    }}
    onClose={onClose}
  >
    <Form.Item field="ids" label="开课">
      <SeveralOptions label="开课" placeholder="全部已开课的课程" {...openingsOf(semester.code)} />
    </Form.Item>
  </FormDialog>
)
