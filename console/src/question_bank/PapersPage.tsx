import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { PaperList } from './PaperList'
import { RuleList } from './RuleList'
import { SnapshotList } from './SnapshotList'

const PAPERS = 'papers'
const others = [
  ['rules', '组卷策略'],
  ['snapshots', '使用记录'],
] as const

/** 试卷管理: papers, the rules they are drawn by, and what was frozen of them (03 A8). */
export const PapersPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = others.find(([value]) => value === asked)?.[0] ?? PAPERS
  return (
    <Page title="试卷管理" help="试卷审核通过后使用；发布作业、安排考试或打印时定稿，之后的修改不影响已定稿的试卷。">
      {tab === PAPERS ? (
        <PaperList beside={{ tabs: others, onChoose: setTab }} />
      ) : (
        <>
          <div className="list-tabs">
            <TabList
              label="试卷管理"
              tabs={[[PAPERS, '试卷'], ...others]}
              value={tab}
              onChange={(next) => setTab(next === PAPERS ? undefined : next)}
            />
          </div>
          {tab === 'rules' ? <RuleList /> : <SnapshotList />}
        </>
      )}
    </Page>
  )
}
