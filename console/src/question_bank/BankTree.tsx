import { Empty } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { listChapters } from '@/courses/api'
import { CourseSelect } from '@/courses/CourseSelect'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { flat } from '@/kit/treeOrder'
import { listQuestionBanks, viewQuestionBank } from './api'

type Bank = RowOf<typeof listQuestionBanks>

/** More banks than a course ever has. */
const MOST_BANKS = 200

interface Place {
  courseId?: number
  bankId?: number
  chapterId?: number
}

interface BankTreeProps {
  at: Place
  choose: (place: Place) => void
}

/** 课程 → 题库 → 章节, to the left of the questions: what is pressed is what they are narrowed to. */
export const BankTree = ({ at, choose }: BankTreeProps) => {
  const request = useRequest()
  const opened = useQuery({
    queryKey: [viewQuestionBank.path, at.bankId],
    queryFn: ({ signal }) => request(viewQuestionBank, { query: { id: at.bankId } }, { signal }),
    enabled: at.bankId !== undefined,
  })
  const courseId = at.courseId ?? opened.data?.courseId
  const banks = useQuery({
    queryKey: [listQuestionBanks.path, courseId, 'tree'],
    queryFn: ({ signal }) => request(listQuestionBanks, { body: { courseId, pageSize: MOST_BANKS } }, { signal }),
    enabled: courseId !== undefined,
  })
  const course = opened.data && { code: opened.data.courseId, desc: opened.data.courseName }
  return (
    <nav className="bank-tree" aria-label="题库和章节">
      <CourseSelect
        type="course"
        label="选择课程"
        value={courseId}
        known={course}
        onChange={(id) => choose({ courseId: id })}
      />
      {courseId === undefined ? (
        <p className="nothing">选择课程后，按题库和章节查看。</p>
      ) : (
        <Loaded query={banks} rows={4}>
          {({ list }) =>
            list.length === 0 ? (
              <Empty description="这门课程还没有题库" />
            ) : (
              <ul>
                <Leaf
                  words="全部题库"
                  on={at.bankId === undefined}
                  count={list.reduce((sum, bank) => sum + bank.questionCount, 0)}
                  onClick={() => choose({ courseId })}
                />
                {list.map((bank) => (
                  <BankLeaf key={bank.id} bank={bank} at={at} choose={choose} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </nav>
  )
}

interface LeafProps {
  words: string
  on: boolean
  count: number
  depth?: number
  onClick: () => void
}

const Leaf = ({ words, on, count, depth = 0, onClick }: LeafProps) => (
  <li>
    <button
      type="button"
      className={on ? 'bank-leaf bank-leaf-on' : 'bank-leaf'}
      style={{ paddingLeft: 8 + depth * 16 }}
      aria-pressed={on}
      title={words}
      onClick={onClick}
    >
      <span>{words}</span>
      <span className="nothing">{formatNumber(count)}</span>
    </button>
  </li>
)

const BankLeaf = ({ bank, at, choose }: { bank: Bank; at: Place; choose: BankTreeProps['choose'] }) => {
  const { id: bankId, courseId, name, questionCount } = bank
  const isOpen = at.bankId === bankId
  return (
    <>
      <Leaf
        words={name}
        on={isOpen && at.chapterId === undefined}
        count={questionCount}
        onClick={() => choose({ courseId, bankId })}
      />
      {isOpen && <Chapters bank={bank} at={at} choose={choose} />}
    </>
  )
}

/** A 章 counts what its 节 have, as the list does. */
const Chapters = ({ bank: { id: bankId, courseId }, at, choose }: { bank: Bank } & BankTreeProps) => {
  const request = useRequest()
  const chapters = useQuery({
    queryKey: [listChapters.path, courseId],
    queryFn: ({ signal }) => request(listChapters, { query: { courseId } }, { signal }),
  })
  const view = useQuery({
    queryKey: [viewQuestionBank.path, bankId],
    queryFn: ({ signal }) => request(viewQuestionBank, { query: { id: bankId } }, { signal }),
  })
  const counts = new Map((view.data?.chapters ?? []).map(({ chapterId, count }) => [chapterId, count]))
  const countOf = (chapter: RowOf<typeof listChapters>) =>
    flat([chapter]).reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0)
  return flat(chapters.data ?? []).map((chapter) => (
    <Leaf
      key={chapter.id}
      words={chapter.title}
      depth={chapter.parentId ? 2 : 1}
      on={at.chapterId === chapter.id}
      count={countOf(chapter)}
      onClick={() => choose({ courseId, bankId, chapterId: chapter.id })}
    />
  ))
}
