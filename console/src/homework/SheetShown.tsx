import { MediaOf } from '@/kit/MediaOf'
import { AnswerFiles, AnswerWords, QuestionShown, Reference } from './AnswerShown'
import { score } from './homeworkRules'
import type { Item, Paper } from './markingRules'
import '@/question_bank/questionBank.css'
import './homework.css'

const One = ({ item }: { item: Item }) => (
  <li>
    <QuestionShown item={item} />
    <AnswerWords item={item} annotations={item.annotations} />
    {item.files.length > 0 && <AnswerFiles files={item.files} annotations={item.annotations} />}
    <p>
      得分 {score(item.score)} / {score(item.fullScore)}
      {item.comment && `　评语：${item.comment}`}
    </p>
    {item.annotations.some(({ text }) => text) && (
      <ul aria-label={`第${item.seq}题批注`}>
        {item.annotations
          .filter(({ text }) => text)
          .map(({ text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: marks have no number of their own
            <li key={at}>{text}</li>
          ))}
      </ul>
    )}
    <Reference item={item} />
  </li>
)

/** What was asked and answered, with what it was given. */
export const ItemsShown = ({ items }: { items: readonly Item[] }) => (
  <ol className="question-subs" aria-label="答卷">
    {items.map((item) => (
      <One key={item.itemId} item={item} />
    ))}
  </ol>
)

/** An attempt as it was answered and marked, to be read. */
export const SheetShown = ({ paper }: { paper: Paper }) => (
  <MediaOf files={paper.media}>
    <p className="form-hint">
      客观分 {score(paper.objectiveScore)}　主观分 {score(paper.subjectiveScore)}
      {paper.penalty > 0 && `　迟交扣分 ${score(paper.penalty)}`}　得分 {score(paper.totalScore)} /{' '}
      {score(paper.fullScore)}
    </p>
    <ItemsShown items={paper.items} />
  </MediaOf>
)
