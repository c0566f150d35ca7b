import { Button, InputNumber, Select, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { useDrawer } from '@/kit/useDrawer'
import { composePaper, listQuestions } from './api'
import {
  allQuestions,
  movedTo,
  type Order,
  orders,
  type PaperDetail,
  type PaperQuestion,
  sorted,
  withoutQuestions,
  withReplaced,
  withScore,
} from './composition'
import { PaperCoverage } from './PaperCoverage'
import { PaperLines, typeWords } from './PaperLines'
import { QuestionDrawer } from './QuestionDrawer'
import { SimilarQuestions } from './SimilarQuestions'
import type { PaperDesk } from './usePaper'

const valuesOf = (field: 'type' | 'difficulty') => (listQuestions.fields[field]?.options ?? []).map(([value]) => value)

const MOST_SCORE = 100

interface PaperManagerProps {
  paper: PaperDetail
  desk: PaperDesk
}

/** 管理试题: all chosen questions over the sections, changed one by one or several at once, with what they cover. */
export const PaperManager = ({ paper, desk }: PaperManagerProps) => {
  const { sections } = paper
  const [wished, setTicked] = useState<readonly number[]>([])
  const [score, setScore] = useState(2)
  const opened = useDrawer<PaperQuestion>()
  const replaced = useDrawer<PaperQuestion>()
  const ids = allQuestions(sections).map(({ questionId }) => questionId)
  const ticked = wished.filter((id) => ids.includes(id))
  const remove = async () => {
    const sure = await confirm({
      title: `移出选中的${ticked.length}道试题？`,
      content: '只从试卷移出，题库中的试题不受影响。',
      okText: '移出',
      danger: true,
    })
    if (sure) await desk.compose(withoutQuestions(sections, ticked))
  }
  return (
    <div className="paper-manage">
      <section aria-label="试题">
        <Can do={composePaper}>
          <div className="toolbar">
            <Space wrap>
              <Button
                size="small"
                onClick={() => setTicked(ticked.length === ids.length ? [] : ids)}
                disabled={ids.length === 0}
              >
                {ids.length > 0 && ticked.length === ids.length ? '取消全选' : '全选'}
              </Button>
              <span role="status">已选{ticked.length}题</span>
              <InputNumber
                className="score-input"
                aria-label="批量分值"
                size="small"
                min={0}
                max={MOST_SCORE}
                precision={1}
                step={0.5}
                value={score}
                onChange={(value) => setScore(value || 0)}
              />
              <Button
                size="small"
                disabled={ticked.length === 0 || desk.isBusy}
                onClick={() => desk.compose(withScore(sections, ticked, score))}
              >
                批量设置分值
              </Button>
              <Select
                className="paper-target"
                aria-label="移动到大题"
                placeholder="移动到大题"
                size="small"
                value={undefined}
                disabled={ticked.length === 0 || desk.isBusy}
                options={sections.map(({ title }, value) => ({ value, label: title }))}
                onChange={(to: number) => desk.compose(movedTo(sections, ticked, to, undefined, typeWords))}
              />
              <Select
                className="paper-target"
                aria-label="大题内排序"
                placeholder="大题内排序"
                size="small"
                value={undefined}
                disabled={ids.length === 0 || desk.isBusy}
                options={Object.entries(orders).map(([value, label]) => ({ value, label }))}
                onChange={(by: Order) => desk.compose(sorted(sections, by, valuesOf('type'), valuesOf('difficulty')))}
              />
              <Button
                size="small"
                type="primary"
                status="danger"
                disabled={ticked.length === 0 || desk.isBusy}
                onClick={remove}
              >
                批量移出
              </Button>
            </Space>
          </div>
        </Can>
        <PaperLines
          desk={desk}
          sections={sections}
          ticked={ticked}
          onTick={setTicked}
          onOpen={(question) => opened.open(question)}
          onReplace={(question) => replaced.open(question)}
        />
      </section>
      <aside aria-label="覆盖">
        <PaperCoverage paper={paper} />
      </aside>
      <QuestionDrawer key={`open-${opened.key}`} {...opened.props} />
      <SimilarQuestions
        key={`similar-${replaced.key}`}
        {...replaced.props}
        paper={paper}
        choose={(old, id) => desk.compose(withReplaced(sections, old.questionId, id))}
      />
    </div>
  )
}
