import { Button, Empty, Form, Table, Tooltip } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import type { PreRegistrationBatchLevel, PreRegistrationBatchMajor } from '@/api/types/recruitment'
import type { Saved } from '@/api/types/shared'
import { basicOptions } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { setPreRegistrationBatchMajors, viewPreRegistrationBatchMajors } from './api'

type Level = PreRegistrationBatchLevel
type Offered = PreRegistrationBatchMajor

/** What a batch offers, with what the batch itself says. */
export type Offer = RowOf<typeof viewPreRegistrationBatchMajors> & { name: string; levels: readonly Level[] }

/** A major of the offer; one that was just chosen has no people yet. */
type Major = Pick<Offered, 'majorId' | 'majorName' | 'levelId' | 'levelName' | 'siteIds' | 'sites' | 'total'>

const Field = fieldsOf(setPreRegistrationBatchMajors)

const KEPT = '已有预报名，不能移除'

/** The majors of a level after others were chosen: those with people stay. */
const chosen = (majors: readonly Major[], level: Level, choices: readonly Choice[]): Major[] => {
  const wanted = new Set(choices.map(({ code }) => code))
  const kept = majors.filter(({ levelId, majorId, total }) => levelId !== level.id || total > 0 || wanted.has(majorId))
  const there = new Set(kept.map(({ majorId }) => majorId))
  const added = choices
    .filter(({ code }) => !there.has(code))
    .map(({ code, desc }) => ({
      majorId: code,
      majorName: desc,
      levelId: level.id,
      levelName: level.name,
      siteIds: null,
      sites: [],
      total: 0,
    }))
  return [...kept, ...added]
}

interface OfLevelProps {
  level: Level
  majors: readonly Major[]
  onChoose: (choices: readonly Choice[]) => void
}

/** The majors of one level of the batch. */
const OfLevel = ({ level, majors, onChoose }: OfLevelProps) => {
  const all = useOptions(listOptions, basicOptions('major', level.id)(''))
  const mine = majors.filter(({ levelId }) => levelId === level.id)
  const choices = mine.map(({ majorId, majorName }) => ({ code: majorId, desc: majorName }))
  const others = (all.data ?? []).filter(({ code }) => !mine.some(({ majorId }) => majorId === code))
  return (
    <Form.Item label={`${level.name}专业`}>
      <SeveralOptions
        label={`${level.name}专业`}
        options={listOptions}
        query={basicOptions('major', level.id)}
        placeholder="请选择"
        known={choices}
        value={choices.map(({ code }) => code)}
        onFound={onChoose}
      />
      {others.length > 0 && (
        <Button type="text" size="mini" onClick={() => onChoose([...choices, ...others])}>
          加入全部{formatNumber(others.length)}个专业
        </Button>
      )}
    </Form.Item>
  )
}

interface SitesOfProps {
  major: Major
  onChange: (siteIds: number[]) => void
}

/** Where a major is offered; at every site unless some are named. */
const SitesOf = ({ major, onChange }: SitesOfProps) => (
  <SeveralOptions
    label={`${major.majorName} 站点`}
    options={listOptions}
    query={basicOptions('site')}
    placeholder="全部站点"
    known={major.sites.map(({ id, name }) => ({ code: id, desc: name }))}
    value={major.siteIds ?? []}
    onChange={onChange}
  />
)

interface MajorsInputProps {
  levels: readonly Level[]
  value?: Major[]
  onChange?: (majors: Major[]) => void
}

/** Majors of the batch's levels first, then the sites of each. */
const MajorsInput = ({ levels, value = [], onChange }: MajorsInputProps) => {
  const sited = (major: Major, siteIds: number[]) =>
    onChange?.(
      value.map((each) =>
        each.majorId === major.majorId ? { ...each, siteIds: siteIds.length ? siteIds : null } : each,
      ),
    )
  const removed = (major: Major) => onChange?.(value.filter(({ majorId }) => majorId !== major.majorId))
  return (
    <>
      {levels.map((level) => (
        <OfLevel
          key={level.id}
          level={level}
          majors={value}
          onChoose={(choices) => onChange?.(chosen(value, level, choices))}
        />
      ))}
      <Table
        size="small"
        rowKey="majorId"
        border={{ wrapper: true }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        data={value}
        noDataElement={<Empty description="还没有选择专业，报名人无法报名" />}
        columns={[
          { title: '层次', dataIndex: 'levelName', width: 90 },
          { title: '专业', dataIndex: 'majorName', width: 180 },
          {
            title: '站点',
            dataIndex: 'siteIds',
            render: (_: unknown, major: Major) => (
              <SitesOf key={major.majorId} major={major} onChange={(siteIds) => sited(major, siteIds)} />
            ),
          },
          {
            title: '预报名',
            dataIndex: 'total',
            width: 80,
            align: 'right',
            render: (total: number) => formatNumber(total),
          },
          {
            title: '操作',
            dataIndex: 'majorId',
            width: 80,
            render: (_: unknown, major: Major) => <Removal major={major} onRemove={() => removed(major)} />,
          },
        ]}
      />
    </>
  )
}

const Removal = ({ major, onRemove }: { major: Major; onRemove: () => void }) => {
  const held = major.total > 0
  const button = (
    <Button
      type="text"
      size="mini"
      status="danger"
      aria-label={`移除${major.majorName}`}
      disabled={held}
      onClick={onRemove}
    >
      移除
    </Button>
  )
  return held ? (
    <Tooltip content={KEPT}>
      <span>{button}</span>
    </Tooltip>
  ) : (
    button
  )
}

const saving = (offer: Offer | undefined): FormAction<Saved> => {
  const save = formAction(setPreRegistrationBatchMajors, '已保存专业站点', offer)
  const bodyOf = ({ majors = [] }: { majors?: readonly Major[] }) => ({
    majors: majors.map(({ majorId, siteIds }) => ({ majorId, siteIds })),
  })
  return { ...save, send: (values, request) => save.send(bodyOf(values), request) }
}

/** 专业站点: what people may choose in a batch. */
export const BatchOffer = ({ record, ...drawer }: DrawerProps<Offer>) => (
  <FormDrawer<Offer, Saved>
    {...drawer}
    record={record}
    width={860}
    title={`专业站点 ${record?.name ?? ''}`}
    action={saving}
    reload={async (offer, call) => ({
      ...offer,
      ...(await call(viewPreRegistrationBatchMajors, { query: { id: offer.id } })),
    })}
  >
    <div style={{ gridColumn: '1 / -1' }}>
      <Field name="majors" required={false} help="不选站点为全部站点；有预报名的专业不能移除">
        <MajorsInput levels={record?.levels ?? []} />
      </Field>
    </div>
  </FormDrawer>
)
