import { Button, Space } from '@arco-design/web-react'
import { IconDownload, IconNotification } from '@arco-design/web-react/icon'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { tellSuccess } from '@/api/errors'
import { saveBlob } from '@/api/files'
import { listOptions } from '@/api/infra'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { basicOptions } from '@/basic_data/BasicSelect'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { type RowAction, step } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { csvOf } from '@/kit/csv'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter } from '@/kit/filters'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { SchoolBars } from '@/kit/SchoolBars'
import { SchoolNotices } from '@/kit/SchoolNotices'
import { useSchoolChoice } from '@/kit/schoolChoice'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import { bodyOf } from '@/kit/useQueryTable'
import type { summarizeAdmissionInformationClasses } from './api'
import { keyOf, Lines } from './Figures'
import { type Group, graduation, information, qualification } from './groups'
import { type Figures, figuresOf, inAddress, lineFilter, remindable, remindRefusal } from './informationRules'
import { FromNewestGrade } from './NewestGrade'
import { usePack } from './usePack'
import { Windows } from './Windows'

type Asked = BodyOf<typeof summarizeAdmissionInformationClasses>

const managers = { options: listOptions, query: basicOptions('classManager') }
const UNASSIGNED = '未分班'
/** As many classes are reminded at once. */
const MOST_CLASSES = 200

const HELP = '应提交为采集范围内的学生；提交率为已提交过的占应提交的百分比，通过率为已通过占应提交的百分比'

const useFigures = (group: Group, body: Asked) => {
  const request = useRequest()
  return useQuery({
    queryKey: [group.summarize.path, body],
    queryFn: ({ signal }) => request(group.summarize, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
}

const nameOf = ({ className, levelName, majorName, siteName }: Figures) =>
  className ?? [UNASSIGNED, levelName, majorName, siteName].filter(Boolean).join(' ')

/** The figures as a sheet, for whoever may take the list along. */
const save = (group: Group, lines: readonly Figures[], total: Figures) => {
  const figures = figuresOf(group.kind, total)
  const rowOf = (line: Figures, name: string) => [
    name,
    ...[line.gradeName, line.levelName, line.majorName, line.siteName, line.managerName].map((word) => word ?? ''),
    ...figures.map(({ field }) => line[field]),
    formatPercent(line.submitRate),
    formatPercent(line.passRate),
  ]
  const heads = [
    '班级',
    '年级',
    '层次',
    '专业',
    '站点',
    '班主任',
    ...figures.map(({ label }) => label),
    '提交率',
    '通过率',
  ]
  const rows = [...lines.map((line) => rowOf(line, line.className ?? UNASSIGNED)), rowOf(total, '合计')]
  saveBlob(csvOf(heads, rows), `${group.title}班级统计.csv`)
}

interface ReminderProps {
  group: Group
  /** The classes that are ticked, else all that are shown. */
  lines: readonly Figures[]
  ticked: boolean
  onDone: () => void
}

/** 批量催办: those of the classes who have not handed in, or must once more. */
const RemindMany = ({ group, lines, ticked, onDone }: ReminderProps) => {
  const request = useRequest()
  const now = new Date()
  const due = lines.filter((line) => remindRefusal(line, now) === undefined)
  const people = due.reduce((sum, line) => sum + remindable(line), 0)
  const remind = useMutation({
    mutationFn: () =>
      request(group.remind, { body: { classIds: due.flatMap(({ classId }) => (classId == null ? [] : [classId])) } }),
    onSuccess: async (result) => {
      onDone()
      await refetchAll()
      if (result.failed.length > 0) tellFailures('批量催办', result)
      else tellSuccess(`已催办${formatNumber(result.done)}个班级`)
    },
    onError: () => refetchAll(),
  })
  const refusal =
    due.length === 0
      ? '没有可催办的班级：都已提交，或24小时内已催办'
      : due.length > MOST_CLASSES
        ? `单次最多催办${MOST_CLASSES}个班级，请勾选班级`
        : undefined
  const start = async () => {
    const title = `催办${ticked ? '选中的' : '所列的'}${formatNumber(due.length)}个班级？`
    const content = `向未提交和已退回的${formatNumber(people)}名学生发送提醒；每个班级24小时内只催办一次。`
    if (await confirm({ title, content, okText: '批量催办' })) remind.mutate()
  }
  return (
    <Can do={group.remind}>
      <Button
        icon={<IconNotification />}
        disabled={refusal !== undefined}
        title={refusal}
        loading={remind.isPending}
        onClick={start}
      >
        批量催办
      </Button>
    </Can>
  )
}

const ways = [
  ['class', '按班级'],
  ['site', '按站点'],
] as const
type Way = (typeof ways)[number][0]

/** The classes of a grade, or its sites as bars. */
const OfSchool = ({ group }: { group: Group }) => {
  const [search, change] = useAddress()
  const places = usePlaces()
  const navigate = useNavigate()
  const pack = usePack(group)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const { pageCurrent: _page, pageSize: _size, ...body } = bodyOf(group.summarize, search)
  const asked: Asked = body
  const told = useFigures(group, asked)
  const way: Way = search.get('by') === 'site' ? 'site' : 'class'
  const filters = Object.fromEntries([...search].filter(([name]) => name in group.summarize.fields))
  const setFilters = (values: Record<string, string | undefined>) => {
    setTicked([])
    change((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(values)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
  }
  const table = {
    operation: group.summarize,
    filters,
    setFilters,
    reset: () => setFilters(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))),
  }
  const actionsOf = (line: Figures): RowAction[] => {
    const filter = { ...asked, ...lineFilter(line), counted: true }
    return [
      { label: '查看学生', do: group.list, onClick: () => navigate(places(group.students, inAddress(filter))) },
      step(group.remind, {
        label: '催办',
        disabled: remindRefusal(line, new Date()),
        with: { body: { classIds: line.classId == null ? [] : [line.classId] } },
        confirm: {
          title: `催办“${nameOf(line)}”？`,
          content: `向未提交和已退回的${formatNumber(remindable(line))}名学生发送提醒，24小时内只催办一次。`,
        },
        done: `已催办“${nameOf(line)}”`,
      }),
      {
        label: '打包下载',
        do: group.download,
        disabled: line.should === line.notSubmitted ? '还没有学生提交' : undefined,
        onClick: () => pack.mutate({ body: { filter }, name: nameOf(line) }),
      },
    ]
  }
  const shown = told.data?.lines ?? []
  const chosen = shown.filter((line) => ticked.includes(keyOf(line)))
  return (
    <>
      <div className="toolbar">
        <div className="toolbar-right">
          <div className="list-tabs">
            <TabList
              label="统计方式"
              tabs={ways}
              value={way}
              onChange={(next) =>
                change((before) => {
                  const after = new URLSearchParams(before)
                  if (next === 'site') after.set('by', next)
                  else after.delete('by')
                  return after
                })
              }
            />
          </div>
          <Space size={4}>
            <Windows group={group} />
            <RemindMany
              group={group}
              lines={chosen.length > 0 ? chosen : shown}
              ticked={chosen.length > 0}
              onDone={() => setTicked([])}
            />
            <Can do={group.exports}>
              <Button
                icon={<IconDownload />}
                disabled={shown.length === 0}
                onClick={() => told.data && save(group, told.data.lines, told.data.total)}
              >
                导出
              </Button>
            </Can>
          </Space>
        </div>
      </div>
      <FilterBar table={table}>
        <OptionFilter of={group.summarize} field="gradeId" {...grades} />
        <OptionFilter of={group.summarize} field="levelId" {...levels} />
        <OptionFilter of={group.summarize} field="majorId" {...majors} />
        <OptionFilter of={group.summarize} field="siteId" {...sites} />
        <OptionFilter of={group.summarize} field="managerId" label="班主任" {...managers} />
        <OptionFilter of={group.summarize} field="classId" {...classes} />
      </FilterBar>
      <Loaded query={told} rows={10}>
        {({ lines, total, bySite }) => (
          <div className={told.isPlaceholderData ? 'information-figures table-stale' : 'information-figures'}>
            {way === 'site' ? (
              <Lines
                key="site"
                group={group}
                bars
                lines={bySite}
                total={total}
                asked={asked}
                nameOf={({ siteName }) => siteName ?? ''}
                heads={[{ title: '站点', width: 200, fixed: 'left', of: ({ siteName }) => siteName }]}
                empty="该年级还没有需要提交的学生"
              />
            ) : (
              <Lines
                key="class"
                group={group}
                lines={lines}
                total={total}
                asked={asked}
                nameOf={nameOf}
                heads={[
                  { title: '班级', width: 200, fixed: 'left', of: ({ className }) => className ?? UNASSIGNED },
                  { title: '层次', width: 80, of: ({ levelName }) => levelName },
                  { title: '专业', width: 130, of: ({ majorName }) => majorName },
                  { title: '年级', width: 80, of: ({ gradeName }) => gradeName },
                  { title: '站点', width: 130, of: ({ siteName }) => siteName },
                  { title: '班主任', width: 90, of: ({ managerName }) => managerName ?? '—' },
                ]}
                actions={actionsOf}
                ticks={{
                  keys: ticked,
                  onChange: setTicked,
                  may: ({ classId }) => classId != null,
                }}
                empty="该年级还没有需要提交的学生"
              />
            )}
            <p className="form-hint information-note">
              {HELP}；为您数据范围内的学生；截至 {formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
            </p>
          </div>
        )}
      </Loaded>
    </>
  )
}

/** One line a school; a school's name chooses it. */
const OfSchools = ({ group }: { group: Group }) => {
  const told = useFigures(group, {})
  const choice = useSchoolChoice()
  return (
    <Loaded query={told} rows={10}>
      {({ lines, total, notices }) => {
        const figures = figuresOf(group.kind, total)
        return (
          <>
            <div className="filters">{choice?.picker}</div>
            <SchoolNotices operation={group.list} notices={notices ?? []} />
            <div className="information-schools">
              <SchoolBars
                caption={`各院校${group.title}`}
                bars="应提交，其中已通过"
                heads={['班级数', ...figures.map(({ label }) => label), '提交率', '通过率']}
                rows={lines.map((line) => ({
                  schoolId: line.schoolId ?? 0,
                  schoolName: line.schoolName ?? '',
                  whole: line.should,
                  part: line.approved,
                  figures: [
                    formatNumber(line.classes ?? 0),
                    ...figures.map(({ field }) => formatNumber(line[field])),
                    formatPercent(line.submitRate),
                    formatPercent(line.passRate),
                  ],
                }))}
              />
            </div>
            <p className="form-hint information-note">
              合计：应提交{formatNumber(total.should)}人，提交率{formatPercent(total.submitRate)}，通过率
              {formatPercent(total.passRate)}。{HELP}；选定院校后查看班级；截至{' '}
              {formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
            </p>
          </>
        )
      }}
    </Loaded>
  )
}

const Classes = ({ group }: { group: Group }) => {
  const overAll = isOverAll(useSchoolContext())
  return (
    <Page title={`${group.title}-班级统计`} help="各班学生提交和审核的进度；点击数字查看学生。">
      {overAll ? (
        <OfSchools group={group} />
      ) : (
        <FromNewestGrade>
          <OfSchool group={group} />
        </FromNewestGrade>
      )}
    </Page>
  )
}

export const InformationClassesPage = () => <Classes group={information} />
export const QualificationClassesPage = () => <Classes group={qualification} />
export const GraduationClassesPage = () => <Classes group={graduation} />
