import { Alert, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { checkHomeworkWeight } from './api'
import { score } from './homeworkRules'

interface WeightMovesProps {
  id: number
  was: number
  weight: number
}

/** Whom another weight of a published homework would move, before it is saved. */
export const WeightMoves = ({ id, was, weight }: WeightMovesProps) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [checkHomeworkWeight.path, id, weight],
    queryFn: ({ signal }) => request(checkHomeworkWeight, { query: { id, weight } }, { signal }),
    enabled: weight !== was,
  })
  if (weight === was) return null
  return (
    <Loaded query={query} rows={2}>
      {(moves) => (
        <div className="form-wide">
          <Alert
            className="form-lead"
            type={moves.length > 0 ? 'warning' : 'info'}
            content={`权重由${was}改为${weight}：${formatNumber(moves.length)}名学生的课程作业成绩会变化`}
          />
          {moves.length > 0 && (
            <Table
              size="small"
              rowKey="studentId"
              border={{ wrapper: true }}
              pagination={{ pageSize: 10, hideOnSinglePage: true }}
              data={[...moves]}
              columns={[
                { title: '学号', dataIndex: 'studentNo' },
                { title: '姓名', dataIndex: 'name' },
                {
                  title: '现在',
                  align: 'right',
                  render: (_: unknown, row: (typeof moves)[number]) => score(row.before),
                },
                {
                  title: '改后',
                  align: 'right',
                  render: (_: unknown, row: (typeof moves)[number]) => score(row.after),
                },
              ]}
            />
          )}
        </div>
      )}
    </Loaded>
  )
}
