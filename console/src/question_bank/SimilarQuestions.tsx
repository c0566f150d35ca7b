import { Button, Drawer, Empty } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import type { DrawerProps } from '@/kit/useDrawer'
import { listQuestions } from './api'
import type { PaperDetail, PaperQuestion } from './composition'
import { wordsIn } from './questionRules'

/** As many are offered. */
const OFFERED = 20

interface SimilarQuestionsProps extends DrawerProps<PaperQuestion> {
  paper: PaperDetail
  choose: (old: PaperQuestion, id: number) => Promise<boolean>
}

/** 替换: others of the same type, chapter and difficulty, the least used first. */
export const SimilarQuestions = ({ record: question, visible, onClose, paper, choose }: SimilarQuestionsProps) => {
  const title = `替换试题 ${question ? wordsIn(question.stem).slice(0, 20) : ''}`
  return (
    <Drawer title={title} width={560} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {question && (
        <Offers
          paper={paper}
          question={question}
          choose={async (id) => {
            if (await choose(question, id)) onClose()
          }}
        />
      )}
    </Drawer>
  )
}

interface OffersProps {
  paper: PaperDetail
  question: PaperQuestion
  choose: (id: number) => void
}

const Offers = ({ paper, question: { type, chapterId, difficulty }, choose }: OffersProps) => {
  const request = useRequest()
  const body = {
    courseId: paper.courseId,
    usableFor: paper.kind,
    excludePaperId: paper.id,
    type,
    difficulty,
    chapterId: chapterId ?? undefined,
    pageSize: OFFERED,
    sortField: 'usedCount' as const,
    sortOrder: 'asc' as const,
  }
  const query = useQuery({
    queryKey: [listQuestions.path, 'similar', body],
    queryFn: ({ signal }) => request(listQuestions, { body }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ list }) =>
        list.length === 0 ? (
          <Empty description="没有同题型、同章节、同难度的其他试题" />
        ) : (
          <ol className="similar" aria-label="相似试题">
            {list.map(({ id, stemText, defaultScore, usedCount }) => (
              <li key={id} className="paper-line">
                <span>{id}</span>
                <div className="paper-line-words">
                  <p title={stemText}>{stemText}</p>
                  <span className="nothing">
                    {defaultScore.toFixed(1)}分，已用{usedCount}次
                  </span>
                </div>
                <Button size="small" aria-label={`替换为${id}`} onClick={() => choose(id)}>
                  替换
                </Button>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}
