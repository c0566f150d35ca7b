import { Empty, Table } from '@arco-design/web-react'
import { formatNumber, formatPercent } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listPapers } from './api'
import type { QuestionView } from './questionRules'
import { toneOfPaper } from './tones'

type Use = QuestionView['usage'][number]

/** 使用情况: the papers that have the question now, and how often it was frozen in one. */
export const UseOfQuestion = ({ view }: { view: QuestionView }) => (
  <>
    <p className="form-lead">
      在{view.usage.length}份试卷中，已随试卷定稿{view.snapshotCount}次；定稿的试卷不随修改变化。
    </p>
    <p className="form-lead">
      {view.answerCount > 0
        ? `已批阅${formatNumber(view.answerCount)}份答卷，得分率${view.scoreRate == null ? '—（不足5份）' : formatPercent(view.scoreRate)}，区分度${view.discrimination?.toFixed(2) ?? '—（不足20份）'}。`
        : '还没有已批阅的答卷；得分率和区分度每晚统计。'}
    </p>
    <Table
      rowKey="paperId"
      size="small"
      border={{ wrapper: true }}
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      data={view.usage}
      noDataElement={<Empty description="还没有试卷使用这道题" />}
      columns={[
        { title: '试卷编号', dataIndex: 'paperCode', width: 160 },
        { title: '试卷', dataIndex: 'paperName' },
        {
          title: '状态',
          dataIndex: 'status',
          width: 100,
          render: (status: Use['status']) => (
            <Word tone={toneOfPaper(status)}>{labelOf(listPapers, 'status', status)}</Word>
          ),
        },
      ]}
    />
  </>
)
