import { IconImage } from '@arco-design/web-react/icon'
import { columnsOf } from '@/kit/columns'
import { Word } from '@/kit/Status'
import { listQuestions } from './api'
import { questionTones, toneOfDiscrimination } from './tones'

/** What is told of a question in every list of them. */
export const questionColumns = columnsOf(listQuestions, [
  {
    field: 'stemText',
    title: '题干',
    width: 300,
    fixed: 'left',
    render: ({ stemText, hasImage, subCount }) => (
      <>
        {hasImage && <IconImage aria-label="有图片" />} {stemText || '（仅图片或公式）'}
        {subCount > 0 && <span className="nothing">（{subCount}小题）</span>}
      </>
    ),
  },
  { field: 'status', width: 90, fixed: 'left', tones: questionTones },
  { field: 'id', title: '题号', width: 80, under: 'stemText', render: ({ id }) => String(id) },
  { field: 'type', width: 90 },
  { field: 'chapterTitle', title: '章节', width: 150 },
  {
    field: 'knowledgePointNames',
    title: '知识点',
    width: 160,
    render: ({ knowledgePointNames }) => knowledgePointNames.join('、') || '—',
  },
  { field: 'difficulty', width: 70 },
  { field: 'defaultScore', title: '分值', width: 70, render: ({ defaultScore }) => defaultScore.toFixed(1) },
  { field: 'usedCount', title: '使用次数', width: 90, help: '随试卷定稿的次数' },
  {
    field: 'scoreRate',
    title: '得分率(%)',
    width: 100,
    help: '已批阅的答卷在本题的得分之和占满分之和的比例，每晚统计；作答不足5份时没有',
    render: ({ scoreRate }) => scoreRate?.toFixed(1) ?? '—',
  },
  {
    field: 'discrimination',
    title: '区分度',
    width: 90,
    help: '总分前27%与后27%的答卷在本题得分率之差；0.2以下宜修改，负数应检查答案；作答不足20份时没有',
    render: ({ discrimination }) =>
      discrimination == null ? (
        '—'
      ) : (
        <Word tone={toneOfDiscrimination(discrimination)}>{discrimination.toFixed(2)}</Word>
      ),
  },
  { field: 'updatedAt', title: '更新', width: 170 },
  { field: 'bankName', title: '题库', width: 160, hidden: true },
  { field: 'courseName', title: '课程', width: 160, hidden: true },
  { field: 'source', hidden: true },
  { field: 'answerText', title: '答案', width: 160, hidden: true },
  { field: 'analysisText', title: '解析', width: 200, hidden: true },
  { field: 'lastUsedAt', title: '最近使用', hidden: true },
  { field: 'rejectReason', title: '退回原因', width: 200, hidden: true },
])
