import { Button, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { listOptions } from '@/api/infra'
import { useRequest, useSchoolContext } from '@/api/schoolContext'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { appendPaperQuestions, listQuestions, viewPaper, viewQuestion } from './api'
import { allBankOptions } from './choices'
import { allQuestions, type PaperDetail } from './composition'
import { RandomFill, RuleFill } from './Fills'
import { PaperDeskPage } from './PaperDeskPage'
import { PaperHead } from './PaperHead'
import { PaperLines } from './PaperLines'
import { PaperManager } from './PaperManager'
import { QuestionFile } from './QuestionFile'
import { questionColumns } from './questionColumns'
import type { PaperDesk } from './usePaper'

interface DeskProps {
  paper: PaperDetail
  desk: PaperDesk
}

const views = [
  ['choose', '选题'],
  ['manage', '管理试题'],
] as const
type View = (typeof views)[number][0]

/** 选题组卷: questions of the course to the left, the paper with its sums to the right (03 A8). */
export const ComposePage = () => {
  const area = useSchoolContext().area
  return (
    <PaperDeskPage title="选题组卷">
      {(paper, desk) =>
        area === 'platform' ? <Both paper={paper} desk={desk} /> : <Choose paper={paper} desk={desk} />
      }
    </PaperDeskPage>
  )
}

/** The operators have both pages in one. */
const Both = (props: DeskProps) => {
  const [view, setView] = useState<View>('choose')
  return (
    <>
      <div className="list-tabs">
        <TabList label="组卷" tabs={views} value={view} onChange={setView} />
      </div>
      {view === 'choose' ? (
        <Choose {...props} />
      ) : (
        <>
          <PaperHead paper={props.paper} />
          <PaperManager {...props} />
        </>
      )}
    </>
  )
}

const Choose = ({ paper, desk }: DeskProps) => {
  const area = useSchoolContext().area
  const navigate = useNavigate()
  return (
    <>
      <PaperHead
        paper={paper}
        links={
          <>
            <RandomFill paper={paper} desk={desk} />
            <RuleFill paper={paper} desk={desk} />
            {area === 'school' && (
              <Button onClick={() => navigate(`${paths.paperManage}?paperId=${paper.id}`)}>管理试题</Button>
            )}
          </>
        }
      />
      <Shelf paper={paper} desk={desk} />
    </>
  )
}

const Shelf = ({ paper, desk }: DeskProps) => {
  const [search] = useSearchParams()
  const places = usePlaces()
  const navigate = useNavigate()
  const table = useQueryTable(listQuestions, {
    // Of a bank that the paper draws from besides, the course may be another.
    usual: { usableFor: paper.kind, ...(search.has('bankId') ? {} : { courseId: paper.courseId }) },
  })
  const request = useRequest()
  const about = useQuery({
    queryKey: [viewPaper.path, paper.id],
    queryFn: ({ signal }) => request(viewPaper, { query: { id: paper.id } }, { signal }),
  })
  const others = about.data?.extraBanks ?? []
  const asked = paper.sections.findIndex(({ id }) => id === Number(search.get('sectionId')))
  const [chosen, setChosen] = useState<number>()
  const target = Math.min(chosen ?? Math.max(asked, 0), Math.max(paper.sections.length - 1, 0))
  const section = paper.sections[target]
  const inPaper = new Set(allQuestions(paper.sections).map(({ questionId }) => questionId))
  const missing = section ? undefined : '请先在右侧新增大题'
  const why = paper.status === 'pending_review' ? '试卷待审核，不能修改' : missing
  const add = async (ids: readonly number[]) => {
    const fresh = ids.filter((id) => !inPaper.has(id))
    if (section?.id && (await desk.append(section.id, fresh))) table.clearSelection()
  }
  const columns = questionColumns.map((column) =>
    column.key === 'status'
      ? {
          ...column,
          title: '已选',
          render: ({ id }: { id: number }) => (inPaper.has(id) ? <Word tone="good">已选</Word> : <Word>未选</Word>),
        }
      : column,
  )
  return (
    <div className="compose">
      <div className="questions-list">
        {others.length > 0 && (
          <Space className="other-banks">
            其他题库
            {others.map(({ id, name }) => (
              <Button key={id} size="mini" onClick={() => table.setFilters({ bankId: String(id) })}>
                {name}
              </Button>
            ))}
          </Space>
        )}
        <FilterBar table={table}>
          <TextFilter of={listQuestions} field="keyword" label="题干或题号" />
          <OptionFilter
            of={listQuestions}
            field="bankId"
            label="题库"
            options={listOptions}
            query={allBankOptions('questionBank', paper.courseId)}
          />
          <EnumFilter of={listQuestions} field="type" />
          <EnumFilter of={listQuestions} field="difficulty" />
          <OptionFilter
            of={listQuestions}
            field="chapterId"
            label="章节"
            options={listOptions}
            query={allBankOptions('chapter', paper.courseId)}
          />
          <OptionFilter
            of={listQuestions}
            field="knowledgePointId"
            label="知识点"
            options={listOptions}
            query={allBankOptions('knowledgePoint', paper.courseId)}
          />
          <SelectFilter
            of={listQuestions}
            field="excludePaperId"
            label="已选试题"
            options={[{ value: String(paper.id), label: '不显示' }]}
          />
          <TextFilter of={listQuestions} field="usedTo" label="使用次数不多于" />
        </FilterBar>
        <QueryTable
          table={table}
          columns={columns}
          nameOf={({ id, stemText }) => `${id} ${stemText.slice(0, 20)}`}
          bulk={[{ label: '加入试卷', do: appendPaperQuestions, open: add }]}
          file={(row) => <QuestionFile id={row.id} />}
          actionsWidth={150}
          actions={(row) => [
            {
              label: '加入试卷',
              do: appendPaperQuestions,
              disabled: inPaper.has(row.id) ? '已在试卷中' : why,
              onClick: () => add([row.id]),
            },
            { label: '预览', do: viewQuestion, onClick: () => table.open(row) },
          ]}
          empty={
            <>
              这门课程没有可用于此类试卷的启用试题
              <Button type="text" onClick={() => navigate(places('questions', { courseId: paper.courseId }))}>
                试题列表
              </Button>
            </>
          }
        />
      </div>
      <aside className="basket" aria-label="试卷">
        <PaperLines desk={desk} sections={paper.sections} target={target} onTarget={setChosen} />
      </aside>
    </div>
  )
}
