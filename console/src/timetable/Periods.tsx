import { Alert, Button, Input, Space } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { fieldErrors } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { DataOf } from '@/api/operation'
import { sites } from '@/basic_data/choices'
import { confirm } from '@/kit/confirm'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { useEnumeration } from '@/settings/useEnumeration'
import { type listLessonPeriods, savePeriods } from './api'
import { usePeriods } from './inputs'
import { periodRefusal } from './timetableRules'

type SitePeriods = DataOf<typeof listLessonPeriods>
type Period = SitePeriods['periods'][number]

const MOST = 14
const TIME_LENGTH = 5
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** The lessons as they are numbered, from the first on. */
const numbered = (rows: readonly Period[]) => rows.map((row, at) => ({ ...row, no: at + 1 }))

const EMPTY = { no: 0, startsAt: '', endsAt: '' }

interface EditorProps {
  found: SitePeriods
  onSaved: () => void
}

const Editor = ({ found, onSaved }: EditorProps) => {
  const { siteId, source, version } = found
  const may = useAllowed()(savePeriods)
  const words = new Map(useEnumeration('periodSource').map(({ code, desc }) => [code, desc]))
  const [typed, setTyped] = useState<readonly Period[]>()
  const [refusal, setRefusal] = useState<string>()
  useUnsaved(typed !== undefined)
  const rows = typed ?? found.periods
  const isOwn = siteId ? source === 'site' : source === 'school'
  const saving = useAction(savePeriods, {
    done: '已保存节次，已排的课次保持原来的时间',
    onDone: () => {
      setTyped(undefined)
      setRefusal(undefined)
      onSaved()
    },
    quiet: (refusal) => refusal.code === 422,
    onRefused: (error) => setRefusal(periodRefusal(fieldErrors(error))),
  })
  const set = (at: number, side: 'startsAt' | 'endsAt', text: string) =>
    setTyped(rows.map((row, place) => (place === at ? { ...row, [side]: text } : row)))
  const send = (periods: readonly Period[]) => saving.mutate({ body: { siteId, version, periods: numbered(periods) } })
  const forget = async () => {
    const sure = await confirm({
      title: siteId ? '删除该站点自己的节次？' : '删除学校的节次？',
      content: siteId ? '之后使用学校的节次。' : '之后使用系统设置中的默认节次。',
      okText: '删除',
      danger: true,
    })
    if (sure) send([])
  }
  const wrong = rows.some(({ startsAt, endsAt }) => !TIME.test(startsAt) || !TIME.test(endsAt))
  return (
    <>
      <p className="form-hint">
        现在使用的节次来自 <Word tone={isOwn ? 'good' : 'quiet'}>{words.get(source) ?? source}</Word>
        {isOwn ? '' : '；修改并保存后成为自己的节次。'}
      </p>
      {refusal && <Alert className="form-lead" type="error" content={refusal} />}
      <table className="periods">
        <thead>
          <tr>
            <th scope="col">节次</th>
            <th scope="col">开始</th>
            <th scope="col">结束</th>
            {may && <th scope="col">操作</th>}
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(({ no, startsAt, endsAt }, at) => (
            <tr key={no}>
              <th scope="row">第{no}节</th>
              {may ? (
                <>
                  <td>
                    <Input
                      aria-label={`第${no}节开始`}
                      placeholder="08:00"
                      maxLength={TIME_LENGTH}
                      error={typed !== undefined && !TIME.test(startsAt)}
                      value={startsAt}
                      onChange={(text) => set(at, 'startsAt', text)}
                    />
                  </td>
                  <td>
                    <Input
                      aria-label={`第${no}节结束`}
                      placeholder="08:45"
                      maxLength={TIME_LENGTH}
                      error={typed !== undefined && !TIME.test(endsAt)}
                      value={endsAt}
                      onChange={(text) => set(at, 'endsAt', text)}
                    />
                  </td>
                  <td>
                    <Button
                      type="text"
                      icon={<IconDelete />}
                      aria-label={`删除第${no}节`}
                      disabled={rows.length === 1}
                      onClick={() => setTyped(rows.filter((_, place) => place !== at))}
                    />
                  </td>
                </>
              ) : (
                <>
                  <td>{startsAt}</td>
                  <td>{endsAt}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {may && (
        <Space>
          <Button
            icon={<IconPlus />}
            disabled={rows.length >= MOST}
            title={rows.length >= MOST ? `最多${MOST}节` : undefined}
            onClick={() => setTyped([...rows, EMPTY])}
          >
            增加一节
          </Button>
          <Button
            type="primary"
            loading={saving.isPending}
            disabled={typed === undefined || wrong}
            title={typed !== undefined && wrong ? '时间的格式为 08:00' : undefined}
            onClick={() => send(rows)}
          >
            保存节次
          </Button>
          {typed !== undefined && <Button onClick={() => setTyped(undefined)}>放弃修改</Button>}
          {isOwn && typed === undefined && (
            <Button status="danger" disabled={saving.isPending} onClick={forget}>
              删除自己的节次
            </Button>
          )}
        </Space>
      )}
    </>
  )
}

/** 节次设置: when the lessons of a day begin and end, of the school or of a site. */
export const Periods = () => {
  const [siteId, setSite] = useState<number>()
  const [saved, setSaved] = useState(0)
  const found = usePeriods(siteId)
  return (
    <section className="periods-page" aria-label="节次设置">
      <div className="periods-site">
        <OptionSelect
          label="站点"
          placeholder="学校的节次"
          {...sites}
          value={siteId}
          onChange={(chosen) => setSite(chosen)}
        />
      </div>
      <Loaded query={found}>
        {(periods) => (
          <Editor key={`${periods.siteId ?? 0}-${saved}`} found={periods} onSaved={() => setSaved(saved + 1)} />
        )}
      </Loaded>
    </section>
  )
}
