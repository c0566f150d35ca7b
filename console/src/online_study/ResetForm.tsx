import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { resetStudyProgress, viewStudyProgress } from './api'
import { nameOf, type Progress } from './studyRules'

const Reset = fieldsOf(resetStudyProgress)

interface PeriodsSelectProps {
  selection: number
  value?: number[]
  onChange?: (ids: number[] | undefined) => void
  'aria-label'?: string
}

/** The periods that a student studied. */
const PeriodsSelect = ({ selection, value = [], onChange, 'aria-label': label }: PeriodsSelectProps) => {
  const request = useRequest()
  const detail = useQuery({
    queryKey: [viewStudyProgress.path, selection],
    queryFn: ({ signal }) => request(viewStudyProgress, { query: { selectionId: selection } }, { signal }),
  })
  const studied = (detail.data?.periods ?? []).filter(({ lastAt }) => lastAt)
  return (
    <Select
      mode="multiple"
      aria-label={label}
      placeholder="整门课程"
      allowClear
      loading={detail.isFetching}
      value={value}
      onChange={(ids: number[]) => onChange?.(ids.length > 0 ? ids : undefined)}
      options={studied.map(({ periodId, title }) => ({ value: periodId, label: title }))}
    />
  )
}

/** 重置 with the reason. */
export const ResetForm = ({ record: progress, ...drawer }: DrawerProps<Progress>) => (
  <FormDrawer<{ reason?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`重置学习进度 ${progress ? nameOf(progress) : ''}`}
    okText="重置"
    danger
    action={() =>
      formAction(resetStudyProgress, `已重置${progress ? nameOf(progress) : ''}的学习进度`, {
        selectionId: progress?.id,
      })
    }
  >
    <p className="form-hint">
      重置后学习进度不能恢复，学习会话保留可查。重置整门课程时，学习时长、学习天数和导入的进度一并清除。
    </p>
    <Reset name="periodIds">
      <PeriodsSelect selection={progress?.id ?? 0} />
    </Reset>
    <Reset name="reason" help="2至200个字符" />
  </FormDrawer>
)
