import { Alert, Descriptions, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { EvidenceFiles } from '@/exams/Evidence'
import { Chart } from '@/kit/Chart'
import { formatNumber, formatTime, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { historyOf } from '@/logs/RecordHistory'
import { listOfflineScores, listScoreSheetRows, statScoreSheet, viewScoreSheet } from './api'
import type { Row } from './entryRules'
import { rate } from './scoreWords'
import '@/kit/figures.css'

const trail = historyOf(viewScoreSheet, 'score_sheet')

/** The sheet as a reviewer sees it: figures, distribution, last semester beside it, rows. */
export const SheetReview = ({ id }: { id: number }) => {
  const request = useRequest()
  const sheet = useQuery({
    queryKey: [viewScoreSheet.path, id],
    queryFn: ({ signal }) => request(viewScoreSheet, { query: { id } }, { signal }),
  })
  const stat = useQuery({
    queryKey: [statScoreSheet.path, id],
    queryFn: ({ signal }) => request(statScoreSheet, { query: { sheetId: id } }, { signal }),
  })
  const rows = useQuery({
    queryKey: [listScoreSheetRows.path, id],
    queryFn: ({ signal }) => request(listScoreSheetRows, { query: { sheetId: id } }, { signal }),
  })
  return (
    <>
      <Loaded query={sheet} rows={4}>
        {(held) => (
          <>
            <Descriptions
              column={2}
              labelStyle={{ width: 96 }}
              data={[
                { key: 'no', label: '登记表号', value: held.sheetNo },
                { key: 'batch', label: '批次', value: held.batchName },
                { key: 'teacher', label: '录入人', value: held.teacherName ?? '未分配' },
                {
                  key: 'submitted',
                  label: '提交',
                  value: `${held.submittedByName ?? '—'} ${formatTime(held.submittedAt)}`,
                },
                {
                  key: 'first',
                  label: '初审',
                  value: `${held.firstReviewedByName ?? '—'} ${formatTime(held.firstReviewedAt)}`,
                },
                { key: 'second', label: '终审', value: `${held.reviewedByName ?? '—'} ${formatTime(held.reviewedAt)}` },
                { key: 'opinion', label: '审核意见', value: held.reviewOpinion ?? '—' },
                { key: 'reason', label: '退回原因', value: held.returnReason ?? '—' },
              ]}
            />
            <EvidenceFiles label="签字扫描件" files={held.files} />
          </>
        )}
      </Loaded>
      <Loaded query={stat} rows={6}>
        {(told) => (
          <section aria-label="成绩分布">
            {told.doubts.length > 0 && <Alert type="warning" content={`异常提示：${told.doubts.join('；')}`} />}
            <Descriptions
              column={3}
              labelStyle={{ width: 110 }}
              data={[
                { key: 'mean', label: '平均分', value: points(told.mean) },
                { key: 'pass', label: '及格率', value: rate(told.passRate) },
                { key: 'excellent', label: '优秀率', value: rate(told.excellentRate) },
                { key: 'median', label: '中位数', value: points(told.median) },
                { key: 'deviation', label: '标准差', value: points(told.deviation) },
                { key: 'range', label: '最低/最高', value: `${points(told.lowest)} / ${points(told.highest)}` },
                { key: 'formerMean', label: '上学期平均分', value: points(told.formerMean) },
                { key: 'formerPass', label: '上学期及格率', value: rate(told.formerPassRate) },
                {
                  key: 'count',
                  label: '计入/应考',
                  value: `${formatNumber(told.counted)} / ${formatNumber(told.enrolled)}`,
                },
              ]}
            />
            <Chart
              data={{
                title: '成绩分布',
                kind: 'bar',
                unit: '人',
                series: [{ name: '人数', points: told.bands.map(({ name, count }) => ({ name, value: count })) }],
              }}
            />
          </section>
        )}
      </Loaded>
      <Loaded query={rows}>
        {({ list }) => (
          <Table
            size="small"
            rowKey="id"
            border={{ wrapper: true }}
            data={list}
            pagination={{ pageSize: 20, hideOnSinglePage: true }}
            columns={[
              { title: '姓名', dataIndex: 'name', width: 100 },
              { title: '学号', dataIndex: 'studentNo', width: 150 },
              {
                title: '性质',
                width: 90,
                render: (_: unknown, { round }: Row) => labelOf(listOfflineScores, 'round', round),
              },
              { title: '原成绩', width: 90, render: (_: unknown, row: Row) => row.formerText ?? '—' },
              { title: '卷面分', width: 80, align: 'right', render: (_: unknown, { raw }: Row) => points(raw) },
              {
                title: '特殊情况',
                width: 90,
                render: (_: unknown, { mark }: Row) => (mark ? labelOf(listOfflineScores, 'mark', mark) : '—'),
              },
              { title: '成绩显示', render: (_: unknown, { text, excluded }: Row) => (excluded ? '不计' : text || '—') },
            ]}
          />
        )}
      </Loaded>
      {trail({ id })}
    </>
  )
}
