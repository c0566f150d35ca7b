import { Descriptions } from '@arco-design/web-react'
import { show } from '@/kit/columns'
import { formatPercent } from '@/kit/format'
import { fieldOf } from '@/kit/labels'
import { historyOf } from '@/logs/RecordHistory'
import { listOnlineTeachings, viewOnlineTeaching } from './api'
import { resourceTones, type Teaching, windowTones } from './studyRules'

const trail = historyOf(viewOnlineTeaching, 'online_teaching')

const facts = [
  'courseCode',
  'courseName',
  'semesterName',
  'kind',
  'gradeName',
  'majorName',
  'studentCount',
  'recordName',
  'periodCount',
  'startsAt',
  'endsAt',
  'finishPercent',
  'maxSpeed',
  'allowSeekUnwatched',
  'dailyLimitMinutes',
  'sequential',
  'requiredProgress',
  'faceCheck',
] as const

/** 查看: how a course is studied, and who set it. */
export const TeachingFile = ({ teaching }: { teaching: Teaching }) => (
  <>
    <Descriptions
      column={2}
      labelStyle={{ width: 130 }}
      data={[
        {
          key: 'resource',
          label: '资源状态',
          value: show(listOnlineTeachings, 'resource', teaching.resource, resourceTones),
        },
        { key: 'window', label: '学习状态', value: show(listOnlineTeachings, 'window', teaching.window, windowTones) },
        ...facts.map((field) => ({
          key: field,
          label: fieldOf(viewOnlineTeaching, field).label,
          value: show(viewOnlineTeaching, field, teaching[field], undefined),
        })),
        { key: 'averageProgress', label: '平均进度', value: formatPercent(teaching.averageProgress) },
        { key: 'finishedRate', label: '完成率', value: formatPercent(teaching.finishedRate) },
      ]}
    />
    {trail(teaching)}
  </>
)
