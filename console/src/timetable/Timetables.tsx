import { Button, Radio, Space } from '@arco-design/web-react'
import { IconCalendar, IconLeft, IconPrinter, IconRight } from '@arco-design/web-react/icon'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { useOptions } from '@/api/options'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DateInput } from '@/kit/DateInput'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { useEnumeration } from '@/settings/useEnumeration'
import { moveArrangeSession, printTimetable, showTimetable, viewTeacherFeed } from './api'
import { CalendarFeed } from './CalendarFeed'
import { resources, resourceWord } from './choices'
import { LessonDrawer } from './LessonDrawer'
import { MonthGrid } from './MonthGrid'
import { CancelLessonForm, type Move, MoveForm } from './SessionForms'
import {
  addDays,
  addMonths,
  dayWords,
  type Entry,
  isBack,
  type Lesson,
  lessonOf,
  monthOf,
  type Timetable,
  type Whose,
  weekOf,
  whyFixed,
} from './timetableRules'
import { WeekGrid } from './WeekGrid'

const WEEK = 'week'
const MONTH = 'month'
type Span = typeof WEEK | typeof MONTH

const today = () => formatTime(new Date(), 'YYYY-MM-DD')

/** Whose timetable stands in the address, with the days that are looked at. */
const usePlace = () => {
  const [search, change] = useAddress()
  const span: Span = search.get('span') === MONTH ? MONTH : WEEK
  const day = search.get('day') ?? today()
  return {
    id: Number(search.get('of')) || undefined,
    span,
    day,
    weeks: span === MONTH ? monthOf(day) : [weekOf(day)],
    set: (values: Record<string, string | undefined>) =>
      change((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      }),
  }
}

const useTimetable = (kind: Whose, id: number | undefined, days: readonly string[]) => {
  const request = useRequest()
  const [from = '', to = from] = [days[0], days.at(-1)]
  return useQuery({
    queryKey: [showTimetable.path, kind, id, from, to],
    queryFn: ({ signal }) => request(showTimetable, { query: { kind, id: id ?? 0, from, to } }, { signal }),
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** Examinations and times that are kept free, which no lesson is. */
const Busy = ({ busy }: Pick<Timetable, 'busy'>) => {
  const words = new Map(useEnumeration('occupationSource').map(({ code, desc }) => [code, desc]))
  if (busy.length === 0) return null
  return (
    <ul className="timetable-busy" aria-label="其他占用">
      {busy.map(({ startsAt, endsAt, source, note }) => (
        <li key={startsAt}>
          {formatTime(startsAt, 'YYYY-MM-DD HH:mm')} 至 {formatTime(endsAt, 'YYYY-MM-DD HH:mm')}{' '}
          {words.get(source) ?? source}
          {note && `：${note}`}
        </li>
      ))}
    </ul>
  )
}

interface TimetablesProps {
  kind: Whose
  semester: Choice | undefined
}

/** 班级课表, 教师课表 and 教室占用: a week or a month of somebody or something; a lesson is dragged to another time. */
export const Timetables = ({ kind, semester }: TimetablesProps) => {
  const named = useNamed()
  const { id, span, day, weeks, set } = usePlace()
  const found = useTimetable(kind, id, weeks.flat())
  const offered = useOptions(resources[kind].options, resources[kind].query(''))
  const mayMove = useAllowed()(moveArrangeSession)
  const [looked, setLooked] = useState<Entry>()
  const move = useDrawer<Move>()
  const drop = useDrawer<Lesson>()
  const feed = useDrawer<Choice>()
  const word = resourceWord(kind)
  const name = found.data?.name ?? ''
  const printing = useMutation({
    mutationFn: async (semesterId: number) => {
      const query = { kind, id: id ?? 0, semesterId }
      await download(printTimetable, named(printTimetable, { query }), `课表_${name}.pdf`)
      tellSuccess('已生成课表，请打开后打印')
    },
  })
  const step = (by: number) =>
    set({ day: span === MONTH ? addMonths(day, by) : addDays(day, by * (weeks[0]?.length ?? 0)) })
  const title =
    span === MONTH
      ? day.slice(0, 'YYYY-MM'.length)
      : `${dayWords(weeks[0]?.[0] ?? day)}至${dayWords(weeks[0]?.at(-1) ?? day)}`
  const canMove = (entry: Entry) =>
    mayMove && !whyFixed({ arrange: entry.status, session: entry.sessionStatus, attended: entry.attended })
  const grid = {
    canMove,
    mayLand: (entry: Entry, to: string) => !isBack(entry, to, new Date(), today()),
    onLook: setLooked,
    onMove: (entry: Entry, to: Move['to']) => move.open({ lesson: lessonOf(entry), to }),
  }
  return (
    <>
      <div className="timetable-bar">
        <div className="timetable-whose">
          <OptionSelect
            label={word}
            placeholder={`请选择${word}`}
            {...resources[kind]}
            value={id}
            known={id && name ? { code: id, desc: name } : undefined}
            onChange={(chosen) => set({ of: chosen === undefined ? undefined : String(chosen) })}
          />
        </div>
        <Space size={4}>
          <Button icon={<IconLeft />} aria-label={span === MONTH ? '上个月' : '上一周'} onClick={() => step(-1)} />
          <strong className="timetable-title" aria-live="polite">
            {title}
          </strong>
          <Button icon={<IconRight />} aria-label={span === MONTH ? '下个月' : '下一周'} onClick={() => step(1)} />
          <Button onClick={() => set({ day: undefined })}>今天</Button>
        </Space>
        <div className="timetable-day">
          <DateInput aria-label="日期" value={day} allowClear={false} onChange={(chosen) => set({ day: chosen })} />
        </div>
        <Radio.Group
          type="button"
          name="span"
          aria-label="显示"
          value={span}
          options={[
            { value: WEEK, label: '周' },
            { value: MONTH, label: '月' },
          ]}
          onChange={(chosen: Span) => set({ span: chosen === WEEK ? undefined : chosen })}
        />
        {id !== undefined && name && kind === 'teacher' && span === WEEK && (
          <Can do={viewTeacherFeed}>
            <Button icon={<IconCalendar />} onClick={() => feed.open({ code: id, desc: name })}>
              订阅日历
            </Button>
          </Can>
        )}
        {id !== undefined && semester && (
          <Can do={printTimetable}>
            <Button
              icon={<IconPrinter />}
              loading={printing.isPending}
              title={`${semester.desc}已发布的课表`}
              onClick={() => printing.mutate(semester.code)}
            >
              打印课表
            </Button>
          </Can>
        )}
      </div>
      {id === undefined ? (
        <div className="timetable-none">
          {offered.data?.length === 0 ? `没有可以选择的${word}` : `请选择${word}，查看其课表。`}
        </div>
      ) : (
        <Loaded query={found}>
          {(timetable) => (
            <section
              className={found.isPlaceholderData ? 'timetable-box table-stale' : 'timetable-box'}
              aria-label={`${timetable.name}的课表`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard too
              tabIndex={0}
            >
              <Busy busy={timetable.busy} />
              {span === MONTH ? (
                <MonthGrid timetable={timetable} weeks={weeks} month={day} {...grid} />
              ) : (
                <WeekGrid timetable={timetable} days={weeks[0] ?? []} {...grid} />
              )}
            </section>
          )}
        </Loaded>
      )}
      <LessonDrawer
        entry={looked}
        onClose={() => setLooked(undefined)}
        onMove={(lesson) => {
          setLooked(undefined)
          move.open({ lesson })
        }}
        onDrop={(lesson) => {
          setLooked(undefined)
          drop.open(lesson)
        }}
      />
      <CalendarFeed key={`feed-${feed.key}`} {...feed.props} />
      <MoveForm key={`move-${move.key}`} {...move.props} />
      <CancelLessonForm key={`drop-${drop.key}`} {...drop.props} />
    </>
  )
}
