import { Button, Dropdown, Empty, Menu, Space } from '@arco-design/web-react'
import { IconDown } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { Operation } from '@/api/operation'
import { useRequest, useSchoolContext } from '@/api/schoolContext'
import { sessionsOf } from '@/exams/choices'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { MoreTools } from '@/kit/MoreTools'
import { OptionSelect } from '@/kit/OptionSelect'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { undoBy } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { AutoSeating, type AutoWish } from './AutoSeating'
import {
  clearExamSeats,
  confirmExamSeats,
  fetchExamSeatImportTemplate,
  importExamSeats,
  listExamSessions,
  moveExamSeat,
  placeCandidates,
  printExamAttendance,
  printExamBags,
  printExamDesks,
  printExamDoors,
  printExamRecords,
  printExamTickets,
  seatCandidates,
  swapExamSeats,
  unconfirmExamSeats,
  viewExamSeatGrid,
  viewExamSession,
} from './api'
import { usePrinted } from './printed'
import { SeatGrid } from './SeatGrid'
import { SeatList } from './SeatList'
import { type Dragged, gapWords, type Turn } from './seatGrid'
import { canSeat, fillWords, roomsBySite, sessionTones } from './seatRules'
import { UnseatedPeople } from './UnseatedPeople'
import './examSeats.css'

const papers: readonly (readonly [label: string, operation: Operation<unknown, unknown, unknown>])[] = [
  ['准考证', printExamTickets],
  ['门贴', printExamDoors],
  ['桌贴', printExamDesks],
  ['签到表', printExamAttendance],
  ['考场情况记录表', printExamRecords],
  ['试卷袋封面', printExamBags],
]

interface SeatingProps {
  batchId: number
  /** None: of all. */
  sessionId: number | undefined
}

/** What is printed of a session, of a site of it, or of one room. */
const PrintMenu = ({ filter }: { filter: object }) => {
  const printing = usePrinted()
  const allowed = useAllowed()
  if (!allowed(printExamTickets)) return null
  return (
    <Dropdown
      trigger="click"
      droplist={
        <Menu>
          {papers.map(([label, operation]) => (
            <Menu.Item key={label}>
              <button type="button" className="more-item" onClick={() => printing.mutate({ operation, body: filter })}>
                {label}
              </button>
            </Menu.Item>
          ))}
        </Menu>
      }
    >
      <Button loading={printing.isPending}>
        打印 <IconDown />
      </Button>
    </Dropdown>
  )
}

interface RoomProps {
  sessionId: number
  movable: boolean
}

/** The rooms of a session by site, and the plan of one. */
const Rooms = ({ sessionId, movable }: RoomProps) => {
  const request = useRequest()
  const [chosen, setChosen] = useState<number>()
  const [picked, setPicked] = useState<Dragged>()
  const rooms = useQuery({
    queryKey: [viewExamSeatGrid.path, 'rooms', sessionId],
    queryFn: ({ signal }) => request(viewExamSeatGrid, { query: { sessionId } }, { signal }),
  })
  const sessionRoomId = chosen ?? rooms.data?.rooms[0]?.id
  const plan = useQuery({
    queryKey: [viewExamSeatGrid.path, 'grid', sessionRoomId],
    queryFn: ({ signal }) => request(viewExamSeatGrid, { query: { sessionRoomId } }, { signal }),
    enabled: sessionRoomId !== undefined,
  })
  const move = useAction(moveExamSeat, { done: '已移动座位' })
  /** Who changed places last; changing them again takes it back. */
  const pair = useRef<{ a: number; b: number }>(null)
  const swap = useAction(swapExamSeats, {
    done: '已调换座位',
    undo: () => (pair.current ? undoBy(swapExamSeats, { body: pair.current }) : undefined),
  })
  const allowed = useAllowed()
  const may = movable && allowed(moveExamSeat)
  const turn = (to: Turn) => {
    if (to.kind === 'move') {
      const { candidateId, sessionRoomId: room, seatNo } = to
      move.mutate({ body: { candidateId, sessionRoomId: room, seatNo } })
    } else if (allowed(swapExamSeats)) {
      pair.current = { a: to.a, b: to.b }
      swap.mutate({ body: pair.current })
    }
  }
  return (
    <Loaded query={rooms}>
      {({ rooms: list }) => (
        <div className="seating">
          <nav className="seating-rooms" aria-label="考场">
            {list.length === 0 && <p className="nothing">还没有编排考场，请自动编排或导入座位。</p>}
            {roomsBySite(list).map(({ siteId, siteName, rooms: own }) => (
              <section key={siteId} aria-label={siteName}>
                <h3>{siteName}</h3>
                <ul>
                  {own.map((room) => (
                    <li key={room.id}>
                      <button type="button" aria-current={room.id === sessionRoomId} onClick={() => setChosen(room.id)}>
                        <span>
                          {room.examRoomNo} {room.roomName}
                        </span>
                        <span>{fillWords(room)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <UnseatedPeople sessionId={sessionId} movable={may} picked={picked} onPick={setPicked} />
          </nav>
          <div>
            {sessionRoomId === undefined ? (
              <Empty description="选择考场后显示座位图" />
            ) : (
              <Loaded query={plan}>
                {({ grid }) =>
                  grid && (
                    <>
                      {may && (
                        <p className="form-hint">
                          拖动考生到空座移动，拖到其他考生的座位调换；也可以单击考生后单击目标座位，按 Esc 取消。
                          {gapWords(grid.seats)}
                        </p>
                      )}
                      <SeatGrid grid={grid} movable={may} picked={picked} onPick={setPicked} onTurn={turn} />
                    </>
                  )
                }
              </Loaded>
            )}
          </div>
        </div>
      )}
    </Loaded>
  )
}

const GRID = 'grid'
const LIST = 'list'
const views = [
  [GRID, '座位图'],
  [LIST, '名单'],
] as const

interface OfSessionProps {
  batchId: number
  sessionId: number
  onAuto: (wish: AutoWish) => void
}

const OfSession = ({ batchId, sessionId, onAuto }: OfSessionProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const isSchool = useSchoolContext().area === 'school'
  const [view, setView] = useState<(typeof views)[number][0]>(GRID)
  const reason = useDrawer<Reasoned>()
  // The session's state is its own room's; whoever only sees seats does without.
  const asks = isSchool && allowed(viewExamSession)
  const query = useQuery({
    queryKey: [viewExamSession.path, sessionId],
    queryFn: ({ signal }) => request(viewExamSession, { query: { id: sessionId } }, { signal }),
    enabled: asks,
  })
  const session = query.data
  const place = useAction(placeCandidates, {
    done: ({ placed, unplacedCount, jobId }) =>
      jobId
        ? '人数较多，正在后台编排，进度在任务中心查看'
        : `已安排${formatNumber(placed)}人${unplacedCount > 0 ? `，${formatNumber(unplacedCount)}人没有空座位` : ''}`,
  })
  const clear = useAction(clearExamSeats, { done: '已清空座位' })
  const fix = useAction(confirmExamSeats, { done: '已确认座位，并发给准考证号' })
  const why = session && canSeat.seat(session)
  const askClear = async () => {
    const question = {
      title: '清空本场次的全部座位？',
      content: '人工安排的座位也会清空，不能恢复。',
      okText: '清空',
      danger: true,
    }
    if (await confirm(question)) clear.mutate({ body: { sessionId } })
  }
  const askFix = async () => {
    const question = {
      title: '确认本场次的座位？',
      content: '全部考生都有座位时才能确认；确认后发给准考证号，座位不能再编排。',
    }
    if (session && (await confirm({ ...question, okText: '确认座位' })))
      fix.mutate({ body: { sessionId, version: session.version } })
  }
  return (
    <>
      <Space wrap className="form-lead">
        {session && (
          <Word tone={sessionTones[session.status]}>{labelOf(listExamSessions, 'status', session.status)}</Word>
        )}
        {session && (
          <span>
            考生{formatNumber(session.candidates)}名，已编排{formatNumber(session.seated)}名，考位
            {formatNumber(session.places)}个
          </span>
        )}
        <Can do={seatCandidates}>
          <Button
            type="primary"
            disabled={why !== undefined}
            title={why}
            onClick={() => onAuto({ batchId, sessionIds: [sessionId] })}
          >
            自动编排
          </Button>
        </Can>
        <Can do={placeCandidates}>
          <Button
            disabled={why !== undefined}
            title={why ?? '只用空座位，已有的座位不变'}
            loading={place.isPending}
            onClick={() => place.mutate({ body: { batchId, sessionIds: [sessionId], siteIds: [], preview: false } })}
          >
            安排剩余
          </Button>
        </Can>
        {session && session.status !== 'confirmed' && session.status !== 'finished' && (
          <Can do={confirmExamSeats}>
            <Button
              disabled={session.status !== 'seated'}
              title={canSeat.confirm(session)}
              loading={fix.isPending}
              onClick={askFix}
            >
              确认座位
            </Button>
          </Can>
        )}
        {session?.status === 'confirmed' && (
          <Can do={unconfirmExamSeats}>
            <Button
              status="danger"
              onClick={() =>
                reason.open({
                  do: unconfirmExamSeats,
                  title: `取消确认 ${session.name} 的座位`,
                  verb: '取消确认',
                  hint: '取消后可以重新编排；准考证已开放的，考生看到的座位随之变动。',
                  done: '已取消确认座位',
                  danger: true,
                  body: { sessionId, version: session.version },
                })
              }
            >
              取消确认
            </Button>
          </Can>
        )}
        <PrintMenu filter={{ batchId, sessionId }} />
        <MoreTools of={[clearExamSeats, importExamSeats]}>
          <Can do={clearExamSeats}>
            <Button
              status="danger"
              disabled={why !== undefined}
              title={why}
              loading={clear.isPending}
              onClick={askClear}
            >
              清空座位
            </Button>
          </Can>
          {isSchool && (
            <ImportButton
              do={importExamSeats}
              template={fetchExamSeatImportTemplate}
              what="座位"
              label="导入座位"
              fields={{ sessionId: String(sessionId) }}
            />
          )}
        </MoreTools>
      </Space>
      <div className="list-tabs">
        <TabList label="座位编排" tabs={views} value={view} onChange={setView} />
      </div>
      {view === GRID ? (
        <Rooms sessionId={sessionId} movable={isSchool && why === undefined} />
      ) : (
        <SeatList batchId={batchId} sessionId={sessionId} />
      )}
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </>
  )
}

/** Of which session the seats are looked at, as the address says; and the arrangement of all sessions. */
export const SessionChoice = ({ batchId, sessionId }: SeatingProps) => {
  const [, setSearch] = useAddress()
  const auto = useDrawer<AutoWish>()
  const choose = (id: number | undefined) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      // The filters and the page are those of the former list.
      for (const name of [...after.keys()]) if (name !== 'tab' && name !== 'batchId') after.delete(name)
      if (id) after.set('sessionId', String(id))
      return after
    })
  return (
    <Space>
      <OptionSelect label="场次" placeholder="全部场次" {...sessionsOf(batchId)} value={sessionId} onChange={choose} />
      <Can do={seatCandidates}>
        <Button onClick={() => auto.open({ batchId, sessionIds: [] })}>编排全部场次</Button>
      </Can>
      <AutoSeating key={auto.key} {...auto.props} />
    </Space>
  )
}

/** 座位编排 of a batch: session, sites and rooms, the plan of each room; seats are moved by hand, and printed (04 §4.4). */
export const SeatingTab = ({ batchId, sessionId }: SeatingProps) => {
  const auto = useDrawer<AutoWish>()
  if (sessionId === undefined) return <SeatList batchId={batchId} />
  return (
    <>
      <OfSession key={sessionId} batchId={batchId} sessionId={sessionId} onAuto={auto.open} />
      <AutoSeating key={`auto-${auto.key}`} {...auto.props} />
    </>
  )
}
