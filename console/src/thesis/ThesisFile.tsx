import { Descriptions, Empty, Timeline } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { FileLink } from '@/kit/FileLink'
import { formatTime, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { TabPanels } from '@/kit/TabList'
import { historyOf } from '@/logs/RecordHistory'
import { listTheses, reviewThesis, uploadThesisDocument, viewThesis } from './api'
import { marksText, similarityText, stageTones, statusTones } from './thesisWords'

const trail = historyOf(viewThesis, 'thesis')

type Document = DataOf<typeof viewThesis>['documents'][number]

const decisions: Readonly<Record<Document['decision'], string>> = {
  pending: '待审阅',
  passed: '通过',
  returned: '退回',
}

/** The versions of a thesis with what was said of each; nothing is ever written over. */
const Documents = ({ thesisId, documents }: { thesisId: number; documents: readonly Document[] }) => {
  const request = useRequest()
  /** An address lasts some minutes, so it is asked for anew. */
  const addressOf = async (id: number) => {
    const fresh = await request(viewThesis, { query: { id: thesisId } })
    return fresh.documents.find((document) => document.id === id)?.url
  }
  if (documents.length === 0) return <Empty description="还没有提交文稿" />
  return (
    <Timeline>
      {documents.map((document) => (
        <Timeline.Item key={document.id} label={formatTime(document.submittedAt)}>
          <strong>
            {labelOf(uploadThesisDocument, 'kind', document.kind)} 第{document.versionNo}版
          </strong>{' '}
          <FileLink name={document.fileName} address={() => addressOf(document.id)} />
          <p>
            {document.pages && `${document.pages}页 · `}
            {document.submittedByName}提交 · {decisions[document.decision]}
            {document.decidedByName && `（${document.decidedByName} ${formatTime(document.decidedAt)}）`}
          </p>
          {document.comment && <p>意见：{document.comment}</p>}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

/** 详情 of a thesis: how it stands, every version, its reviews, who changed it. */
export const ThesisFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewThesis.path, id],
    queryFn: ({ signal }) => request(viewThesis, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 96 }}
            data={[
              { key: 'title', label: '题目', value: view.title ?? '未选题' },
              { key: 'adviser', label: '指导教师', value: view.adviserName ?? '未分配' },
              { key: 'stage', label: '阶段', value: show(listTheses, 'stage', view.stage, undefined) },
              { key: 'state', label: '阶段状态', value: show(listTheses, 'stageStatus', view.stageStatus, stageTones) },
              { key: 'status', label: '论文状态', value: show(listTheses, 'status', view.status, statusTones) },
              { key: 'due', label: '截止日期', value: view.dueOn ?? '—' },
              { key: 'rate', label: '复制比', value: similarityText(view) },
              { key: 'review', label: '评阅均分', value: points(view.reviewScore) },
              { key: 'remark', label: '说明', value: view.remark ?? '—' },
            ]}
          />
          <TabPanels
            label="论文详情"
            panels={[
              { title: '文稿', content: <Documents thesisId={id} documents={view.documents} /> },
              {
                title: '评阅',
                content:
                  view.reviews.length === 0 ? (
                    <Empty description="还没有分配评阅教师" />
                  ) : (
                    <ul>
                      {view.reviews.map((review) => (
                        <li key={review.reviewerId}>
                          <strong>{review.reviewerName}</strong> {points(review.score)}{' '}
                          {review.opinion ? labelOf(reviewThesis, 'opinion', review.opinion) : '待评阅'}
                          {marksText(review.items) && <p>{marksText(review.items)}</p>}
                          {review.comment && <p>{review.comment}</p>}
                        </li>
                      ))}
                    </ul>
                  ),
              },
              {
                title: '延期',
                content:
                  view.extensions.length === 0 ? (
                    <Empty description="没有延期" />
                  ) : (
                    <ul>
                      {view.extensions.map((extension) => (
                        <li key={extension.createdAt}>
                          {labelOf(listTheses, 'stage', extension.stage)}延至{extension.until}：{extension.reason}
                        </li>
                      ))}
                    </ul>
                  ),
              },
              { title: '操作日志', late: true, content: trail({ id }) },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
