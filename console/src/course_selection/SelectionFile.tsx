import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useCall, useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { FileLink } from '@/kit/FileLink'
import { formatTenths } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listSelections, viewSelection } from './api'
import { statusTones } from './selectionRules'

const trail = historyOf(viewSelection, 'course_selection')

const facts = [
  'studentNo',
  'name',
  'gradeName',
  'levelName',
  'majorName',
  'siteName',
  'className',
  'semesterName',
  'courseCode',
  'courseName',
  'nature',
  'source',
  'attemptNo',
  'lecturer',
  'selectedAt',
  'finalScore',
  'passed',
  'auditedAt',
  'droppedAt',
  'dropReason',
  'exemptReason',
  'remark',
] as const

/** 查看: a selection with what was decided about it. */
export const SelectionFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const call = useCall()
  const query = useQuery({
    queryKey: [viewSelection.path, id],
    queryFn: ({ signal }) => request(viewSelection, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(selection) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 96 }}
            data={[
              { key: 'status', label: '状态', value: show(listSelections, 'status', selection.status, statusTones) },
              { key: 'credits', label: '学分', value: formatTenths(selection.credits) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(viewSelection, field).label,
                value: show(viewSelection, field, selection[field], undefined),
              })),
              {
                key: 'file',
                label: '免修证明',
                value: (
                  <FileLink
                    name={selection.exemptFileName}
                    address={async () => (await call(viewSelection, { query: { id } })).exemptFileUrl}
                  />
                ),
              },
            ]}
          />
          {trail(selection)}
          <Watermark />
        </>
      )}
    </Loaded>
  )
}
