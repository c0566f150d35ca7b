import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { InSemester } from '@/course_opening/SemesterFilter'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { usePageTab } from '@/kit/usePageTab'
import { ArrangeList } from './ArrangeList'
import { AutoArrange } from './AutoArrange'
import { listBlocks, listLessonPeriods, showTimetable } from './api'
import { Blocks } from './Blocks'
import { Pendings } from './Pendings'
import { Periods } from './Periods'
import { Timetables } from './Timetables'
import { areSame, type Pending } from './timetableRules'
import './timetable.css'

const LIST = 'list'
const OF_CLASS = 'class'
const OF_TEACHER = 'teacher'
const OF_CLASSROOM = 'classroom'
const PENDING = 'pending'
const BLOCKS = 'blocks'
const PERIODS = 'periods'

const all = [
  [LIST, '列表', undefined],
  [OF_CLASS, '班级课表', showTimetable],
  [OF_TEACHER, '教师课表', showTimetable],
  [OF_CLASSROOM, '教室占用', showTimetable],
  [PENDING, '待排课程', undefined],
  [BLOCKS, '不可用时间', listBlocks],
  [PERIODS, '节次设置', listLessonPeriods],
] as const

type Tab = (typeof all)[number][0]

/** The job of a proposal stands in the address, so that one comes back to it. */
const useJobInAddress = () => {
  const [search, change] = useAddress()
  const set = (jobId: number | undefined) =>
    change((before) => {
      const after = new URLSearchParams(before)
      if (jobId) after.set('proposal', String(jobId))
      else after.delete('proposal')
      return after
    })
  return [Number(search.get('proposal')) || undefined, set] as const
}

interface TabsProps {
  tab: Tab
  semester: Choice | undefined
  onTab: (tab: string | undefined, filters?: Record<string, string>) => void
}

/** What is arranged automatically: the ticked classes, or of none all that lack hours, of the semester that the list shows. */
interface Asked {
  rows: readonly Pending[]
  semester: Choice | undefined
}

const Tabs = ({ tab, semester, onTab }: TabsProps) => {
  const [jobId, setJob] = useJobInAddress()
  const [asked, setAsked] = useState<Asked | undefined>(jobId === undefined ? undefined : { rows: [], semester })
  const [ticked, setTicked] = useState<readonly Pending[]>([])
  const ask = (rows: readonly Pending[], shown: Choice | undefined) => {
    setAsked({ rows, semester: shown })
    // What was computed is looked at again, unless other classes are meant.
    if (rows.length === 0) return
    if (!areSame(rows, ticked)) setJob(undefined)
    setTicked(rows)
  }
  return (
    <>
      {tab === LIST && <ArrangeList semester={semester} onAutomatic={(shown) => ask([], shown)} />}
      {(tab === OF_CLASS || tab === OF_TEACHER || tab === OF_CLASSROOM) && (
        <Timetables key={tab} kind={tab} semester={semester} />
      )}
      {tab === PENDING && (
        <Pendings semester={semester} onAutomatic={ask} onShow={(filters) => onTab(undefined, filters)} />
      )}
      {tab === BLOCKS && <Blocks />}
      {tab === PERIODS && <Periods />}
      {asked && (
        <AutoArrange
          semester={asked.semester}
          rows={asked.rows}
          jobId={jobId}
          onJob={setJob}
          onClose={() => setAsked(undefined)}
          onShow={(semesterId) => {
            setAsked(undefined)
            onTab(undefined, { status: 'draft', semesterId: String(semesterId) })
          }}
        />
      )}
    </>
  )
}

/** 面授排课: which course meets which classes, when and where (03 B9). */
export const TimetablePage = () => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  const tabs = all.flatMap(([value, label, operation]) =>
    operation === undefined || allowed(operation) ? [[value, label] as const] : [],
  )
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? LIST
  return (
    <Page title="面授排课" help="为面授和混合教学的课程安排时间、教师和教室；同一时间不会重复占用教师、教室和班级。">
      <div className="list-tabs">
        <TabList
          label="面授排课"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === LIST ? undefined : next)}
        />
      </div>
      <InSemester>
        {(semester) => <Tabs key={semester?.code} tab={tab} semester={semester} onTab={setTab} />}
      </InSemester>
    </Page>
  )
}
