import { Empty, Select, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { type Tone, Word } from '@/kit/Status'
import { compareTeachingPlans } from './api'
import { statusWord } from './choices'
import { formerOf, type PlanView } from './planRules'

type Difference = DataOf<typeof compareTeachingPlans>
type Kind = Difference['courses'][number]['kind']
type Fields = Difference['head']

const kinds: Record<Kind, readonly [word: string, tone: Tone]> = {
  added: ['新增', 'good'],
  removed: ['删除', 'bad'],
  changed: ['修改', 'warning'],
}

const KindWord = ({ kind }: { kind: Kind }) => {
  const [word, tone] = kinds[kind]
  return <Word tone={tone}>{word}</Word>
}

interface Line {
  key: string
  part: string
  name: string
  kind: Kind
  label: string
  before: string
  after: string
}

const linesOf = (key: string, part: string, name: string, kind: Kind, fields: Fields): Line[] =>
  fields.map(({ field, label, before, after }) => ({ key: `${key}-${field}`, part, name, kind, label, before, after }))

/** A difference as lines, what stands beside each other in both versions. */
const allLines = ({ head, groups, courses }: Difference) => [
  ...linesOf('head', '基本信息', '', 'changed', head),
  ...groups.flatMap(({ name, kind, fields }) => linesOf(`group-${name}`, '选修组', name, kind, fields)),
  ...courses.flatMap(({ courseId, courseCode, courseName, kind, fields }) =>
    linesOf(`course-${courseId}`, '课程', `${courseName} ${courseCode}`, kind, fields),
  ),
]

const Compared = ({ id, otherId }: { id: number; otherId: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [compareTeachingPlans.path, id, otherId],
    queryFn: ({ signal }) => request(compareTeachingPlans, { query: { id, otherId } }, { signal }),
  })
  return (
    <Loaded query={query} rows={6}>
      {(difference) => (
        <Table
          size="small"
          rowKey="key"
          border={{ wrapper: true, cell: true }}
          pagination={false}
          data={allLines(difference)}
          noDataElement={<Empty description="两个版本没有差异" />}
          scroll={{ x: 640 }}
          columns={[
            { title: '内容', dataIndex: 'part', width: 90 },
            {
              title: '名称',
              dataIndex: 'name',
              render: (name: string, { kind }: Line) => (
                <>
                  {name} <KindWord kind={kind} />
                </>
              ),
            },
            { title: '字段', dataIndex: 'label', width: 90 },
            { title: difference.otherName, dataIndex: 'before', render: (text: string) => text || '—' },
            { title: difference.name, dataIndex: 'after', render: (text: string) => text || '—' },
          ]}
        />
      )}
    </Loaded>
  )
}

/** 差异: what a version has otherwise than another one of the same grade and major. */
export const PlanDiff = ({ plan: { id, versions } }: { plan: PlanView }) => {
  const [chosen, setChosen] = useState<number>()
  const others = versions.filter((version) => version.id !== id)
  const otherId = chosen ?? formerOf(id, versions)
  if (otherId === undefined) return <p className="nothing">这个年级专业只有一个版本。</p>
  return (
    <>
      <div className="filters plan-choice">
        <div className="filter">
          <span className="filter-label">对比版本</span>
          <Select
            aria-label="对比版本"
            value={otherId}
            onChange={(other: number) => setChosen(other)}
            options={others.map((other) => ({
              value: other.id,
              label: `V${other.versionNo} ${statusWord(other.status)}`,
            }))}
          />
        </div>
      </div>
      <Compared key={otherId} id={id} otherId={otherId} />
    </>
  )
}
