import { Button, Empty, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { formatSpan } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { NotFound } from '@/kit/NotFound'
import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { useTabTitle } from '@/kit/tab'
import { flat } from '@/kit/treeOrder'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import {
  fetchPeriodImportTemplate,
  importPeriods,
  listChapters,
  listCourseRecords,
  listPeriods,
  savePeriod,
  viewCourse,
} from './api'
import { type ChapterNode, ChapterTree } from './ChapterTree'
import { type PeriodDraft, PeriodForm } from './PeriodForm'
import { PeriodTable } from './PeriodTable'
import './courses.css'

type CourseRecord = RowOf<typeof listCourseRecords>

/** More sets of material than a course ever has. */
const RECORDS = 100
/** Videos that are not ready yet are looked at again after so long. */
const AGAIN_MS = 10_000

/** 课程章节 of the course in the address, in the path or, for operators, in the query; anything but digits is no course. */
export const ChaptersPage = () => {
  const [search] = useSearchParams()
  const courseId = useParams().courseId ?? search.get('courseId')
  if (courseId !== null && !/^[0-9]{1,15}$/.test(courseId)) return <NotFound />
  return (
    <SchoolFirst title="课程章节">
      {courseId === null ? <NoCourse /> : <Chapters courseId={Number(courseId)} />}
    </SchoolFirst>
  )
}

/** The school was chosen here, and with it nothing else. */
const NoCourse = () => {
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <Page title="课程章节">
      <Empty
        description={
          <>
            请先选择课程
            <Button type="text" onClick={() => navigate(places('courses'))}>
              院校课程
            </Button>
          </>
        }
      />
    </Page>
  )
}

const Chapters = ({ courseId }: { courseId: number }) => {
  const request = useRequest()
  const course = useQuery({
    queryKey: [viewCourse.path, courseId],
    queryFn: ({ signal }) => request(viewCourse, { query: { id: courseId } }, { signal }),
  })
  const chapters = useQuery({
    queryKey: [listChapters.path, courseId],
    queryFn: ({ signal }) => request(listChapters, { query: { courseId } }, { signal }),
  })
  const records = useQuery({
    queryKey: [listCourseRecords.path, courseId],
    queryFn: ({ signal }) => request(listCourseRecords, { body: { courseId, pageSize: RECORDS } }, { signal }),
  })
  useTabTitle(course.data?.name)
  return (
    <Page
      title="课程章节"
      help={course.data && `${course.data.code} ${course.data.name}：章节属于课程，课时属于所选的资源。`}
    >
      <Loaded query={chapters}>
        {(nodes) => (
          <Loaded query={records}>
            {({ list }) => <Workplace courseId={courseId} nodes={nodes} records={list} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface WorkplaceProps {
  courseId: number
  nodes: readonly ChapterNode[]
  records: readonly CourseRecord[]
}

const Workplace = ({ courseId, nodes, records }: WorkplaceProps) => {
  const request = useRequest()
  const [search, setSearch] = useAddress()
  const [chosen, setChosen] = useState<number>()
  const form = useDrawer<PeriodDraft>()
  const asked = Number(search.get('recordId'))
  const record = records.find(({ id }) => id === asked) ?? records.find(({ isDefault }) => isDefault) ?? records.at(0)
  const all = flat(nodes)
  const chapter = all.find(({ id }) => id === chosen)
  const filter = record && { courseRecordId: record.id, chapterId: chapter?.id }
  const periods = useQuery({
    queryKey: [listPeriods.path, filter],
    queryFn: ({ signal }) => request(listPeriods, { body: filter ?? { courseRecordId: 0 } }, { signal }),
    enabled: filter !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.some(({ mediaState }) => mediaState === 'uploading' || mediaState === 'processing')
        ? AGAIN_MS
        : false,
  })
  const totals = [
    `${nodes.length}章`,
    record && `${record.periodCount}课时`,
    record && record.totalSeconds > 0 && formatSpan(record.totalSeconds),
  ]
  const open = (period?: RowOf<typeof listPeriods>) => {
    const place = all.find(({ id }) => id === (period?.chapterId ?? chapter?.id))
    if (!record || !place) return
    form.open({ period, courseId, courseRecordId: record.id, chapterId: place.id, chapterTitle: place.title })
  }
  return (
    <div className="chapters">
      <ChapterTree courseId={courseId} nodes={nodes} chosen={chapter?.id} choose={setChosen} />
      <section className="chapter-periods" aria-label="课时">
        <div className="toolbar">
          <Can do={savePeriod}>
            <Button
              type="primary"
              icon={<IconPlus />}
              disabled={!record || !chapter}
              title={chapter ? undefined : '请先在左侧选择章节'}
              onClick={() => open()}
            >
              新增课时
            </Button>
          </Can>
          <Select
            aria-label="课程资源"
            className="chapter-record"
            placeholder="请选择课程资源"
            value={record?.id}
            onChange={(id: number) => {
              setSearch((before) => {
                const after = new URLSearchParams(before)
                after.set('recordId', String(id))
                return after
              })
            }}
            options={records.map((each) => ({
              value: each.id,
              label: `${each.name}（第${each.versionNo}版${each.isDefault ? '，默认' : ''}）`,
            }))}
          />
          <div className="toolbar-right">
            <output>{totals.filter(Boolean).join(' ')}</output>
            {record && (
              <ImportButton
                do={importPeriods}
                template={fetchPeriodImportTemplate}
                templateOf={{ courseRecordId: record.id }}
                what="课时"
                fields={{ courseRecordId: String(record.id) }}
              />
            )}
          </div>
        </div>
        {record ? (
          <Loaded query={periods}>
            {(list) => (
              <PeriodTable
                key={chapter?.id}
                periods={list}
                edit={open}
                empty={
                  chapter
                    ? `“${chapter.title}”还没有课时，点击“新增课时”。`
                    : '还没有课时。请在左侧选择章节，再新增课时。'
                }
              />
            )}
          </Loaded>
        ) : (
          <p>这门课程还没有课程资源，请先在“课程资源”中新增。</p>
        )}
        <PeriodForm key={form.key} {...form.props} />
      </section>
    </div>
  )
}
