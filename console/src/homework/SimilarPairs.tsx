import { Button, Drawer, Input, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, NumberFilter, OptionFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { undoBy } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import { useQueryTable } from '@/kit/useQueryTable'
import { judgeSimilarSheets, listSimilarSheets } from './api'
import { homeworks } from './choices'
import { type Pair, piecesOf, placesIn, verdictTones } from './markingRules'
import './homework.css'

const MOST_NOTE = 500

const columns = columnsOf(listSimilarSheets, [
  { field: 'percent', title: '相似度', width: 84, fixed: 'left', render: ({ percent }) => formatPercent(percent) },
  { field: 'verdict', width: 90, fixed: 'left', tones: verdictTones },
  { field: 'nameA', title: '答卷一', width: 110 },
  { field: 'studentNoA', under: 'nameA' },
  { field: 'classA', title: '班级', width: 150 },
  { field: 'titleA', title: '作业', width: 160 },
  { field: 'nameB', title: '答卷二', width: 110 },
  { field: 'studentNoB', under: 'nameB' },
  { field: 'classB', title: '班级', width: 150 },
  { field: 'titleB', title: '作业', width: 160 },
  { field: 'seq', title: '题号', width: 70 },
  { field: 'note', title: '说明', width: 200 },
  { field: 'createdAt', title: '发现时间', width: 170, hidden: true },
])

/** The verdict as it was. */
const unjudged = ({ id, verdict, note }: Pair) => undoBy(judgeSimilarSheets, { body: { id, verdict, note } })

const pairName = ({ nameA, nameB, seq }: Pair) => `${nameA || '他人'}与${nameB || '他人'} 第${seq}题`

interface SideProps {
  title: string
  text: string
  /** Within the data scope. */
  seen: boolean
  places: readonly (readonly number[])[]
}

/** One of both answers, what it has in common with the other coloured. */
const Side = ({ title, text, seen, places }: SideProps) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {text ? (
      <div className="marking-answer">
        {piecesOf(
          text,
          places.map((place) => placesIn(text, place)),
        ).map(({ text: piece, from, within }) =>
          within.length > 0 ? <mark key={from}>{piece}</mark> : <span key={from}>{piece}</span>,
        )}
      </div>
    ) : (
      <p className="nothing">{seen ? '内容在附件中，请打开答卷查看' : '不在您的数据范围，不显示内容'}</p>
    )}
  </section>
)

interface DrawerProps {
  pair: Pair | undefined
  anonymous?: boolean
  onClose: () => void
}

/** 对照: both answers side by side, and what one thinks of them. It changes no score. */
export const SimilarDrawer = ({ pair, anonymous = false, onClose }: DrawerProps) => {
  const [note, setNote] = useState(pair?.note ?? '')
  const judge = useAction(judgeSimilarSheets, {
    done: '已保存认定',
    undo: () => pair && unjudged(pair),
    onDone: onClose,
  })
  const title = pair ? `相似答卷 ${formatPercent(pair.percent)}` : '相似答卷'
  const verdict = (word: Pair['verdict']) =>
    pair && judge.mutate({ body: { id: pair.id, verdict: word, note: note.trim() || null } })
  const of = (name: string, of: string | null | undefined, which: string) =>
    anonymous ? which : [which, name, of].filter(Boolean).join(' ')
  return (
    <Drawer
      title={title}
      width={960}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>关闭</Button>
          {pair && (
            <Can do={judgeSimilarSheets}>
              <Button loading={judge.isPending} onClick={() => verdict('dismissed')}>
                排除
              </Button>
              <Button type="primary" status="danger" loading={judge.isPending} onClick={() => verdict('confirmed')}>
                认定雷同
              </Button>
            </Can>
          )}
        </Space>
      }
    >
      <DialogName name={title} />
      {pair ? (
        <>
          <p>
            第{pair.seq}题{' '}
            <Word tone={verdictTones[pair.verdict]}>{labelOf(listSimilarSheets, 'verdict', pair.verdict)}</Word>
          </p>
          <div className="similar-pair">
            <Side
              title={of(pair.nameA, pair.studentNoA, '答卷一')}
              text={pair.textA}
              seen={pair.seenA}
              places={pair.fragments.map(({ a }) => a)}
            />
            <Side
              title={of(pair.nameB, pair.studentNoB, '答卷二')}
              text={pair.textB}
              seen={pair.seenB}
              places={pair.fragments.map(({ b }) => b)}
            />
          </div>
          <h3>说明</h3>
          <Input.TextArea
            aria-label="说明"
            maxLength={MOST_NOTE}
            autoSize={{ minRows: 2, maxRows: 4 }}
            value={note}
            onChange={setNote}
          />
          <p className="form-hint">认定不改变得分；需要重做的，在作业批阅中退回。</p>
        </>
      ) : (
        <p className="nothing">该相似记录已不存在</p>
      )}
    </Drawer>
  )
}

/** 相似对照: pairs of answers that are alike, to be judged. */
export const SimilarPairs = () => {
  const table = useQueryTable(listSimilarSheets)
  const [open, setOpen] = useState<Pair>()
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listSimilarSheets} field="homeworkId" label="作业" {...homeworks} />
        <EnumFilter of={listSimilarSheets} field="verdict" />
        <NumberFilter of={listSimilarSheets} field="percentFrom" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={pairName}
        actionsWidth={140}
        actions={(row) => [
          { label: '对照', do: listSimilarSheets, onClick: () => setOpen(row) },
          step(judgeSimilarSheets, {
            label: '排除',
            with: { body: { id: row.id, verdict: 'dismissed', note: row.note } },
            disabled: row.verdict === 'dismissed' ? '已排除' : undefined,
            done: '已排除',
            undo: () => unjudged(row),
          }),
        ]}
        empty="没有发现相似的答卷。在作业批阅列表中对一个作业做相似检测。"
      />
      {open && <SimilarDrawer key={open.id} pair={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
