import { formatTime } from '@/kit/format'
import type { QuestionDetail } from './desks'
import { Files } from './Files'
import './support.css'

/** One's own question does not say who asked. */
type Said = Pick<QuestionDetail, 'title' | 'content' | 'files' | 'createdAt' | 'replies'> &
  Partial<Pick<QuestionDetail, 'schoolName' | 'siteName' | 'className' | 'askerName'>>

/** Who asked, and where they are. */
const whoOf = ({ schoolName, siteName, className, askerName }: Said) =>
  [schoolName, siteName, className, askerName].filter(Boolean).join(' ') || '本人'

/** A question with all that was said, in its order. */
export const Thread = ({ question }: { question: Said }) => (
  <section className="help-thread" aria-label="咨询内容">
    <h3>{question.title}</h3>
    <p className="help-words">{question.content}</p>
    <Files files={question.files} />
    <p className="form-hint">
      {whoOf(question)} 提问于 {formatTime(question.createdAt)}
    </p>
    {question.replies.length === 0 ? (
      <p className="nothing">还没有回复。</p>
    ) : (
      <ul aria-label="回复">
        {question.replies.map((reply) => (
          <li key={reply.id} className={reply.fromAsker ? undefined : 'help-answer'}>
            <p className="help-words">{reply.content}</p>
            <Files files={reply.files} />
            <p className="form-hint">
              {reply.byName} {reply.fromAsker ? '追问于' : '回复于'} {formatTime(reply.at)}
            </p>
          </li>
        ))}
      </ul>
    )}
  </section>
)
