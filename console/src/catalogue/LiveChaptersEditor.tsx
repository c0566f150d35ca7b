import { Button, Checkbox, Input } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { MediaSelect } from '@/courses/MediaSelect'
import { DateTimeInput } from '@/kit/DateTimeInput'
import type { Choice } from '@/kit/OptionSelect'
import { ChannelSelect } from './ChannelSelect'
import { moved } from './courseContent'
import { type LiveChapterDraft, type LivePeriodDraft, newLiveChapter, newLivePeriod } from './liveContent'
import { replaced, Steps, without } from './outline'
import './catalogue.css'

interface PeriodProps {
  label: string
  period: LivePeriodDraft
  media: readonly Choice[]
  channels: readonly Choice[]
  change: (change: Partial<LivePeriodDraft>) => void
}

const Period = ({ label, period, media, channels, change }: PeriodProps) => (
  <>
    <Input
      aria-label={`${label}名称`}
      placeholder="课时名称"
      maxLength={100}
      value={period.periodName}
      onChange={(periodName) => change({ periodName })}
    />
    <ChannelSelect
      aria-label={`${label}频道`}
      value={period.liveChannelId}
      known={channels.find(({ code }) => code === period.liveChannelId)}
      onChange={(liveChannelId) => change({ liveChannelId })}
    />
    <DateTimeInput
      aria-label={`${label}开始时间`}
      placeholder="开始时间"
      value={period.startsAt}
      onChange={(startsAt) => change({ startsAt })}
    />
    <DateTimeInput
      aria-label={`${label}结束时间`}
      placeholder="结束时间"
      value={period.endsAt}
      onChange={(endsAt) => change({ endsAt })}
    />
    <MediaSelect
      aria-label={`${label}回放`}
      value={period.replayAssetId ?? undefined}
      known={media.find(({ code }) => code === period.replayAssetId)}
      onChange={(replayAssetId) => change({ replayAssetId })}
    />
    <Checkbox checked={period.isFree} onChange={(isFree) => change({ isFree })}>
      试看
    </Checkbox>
  </>
)

interface LiveChaptersEditorProps {
  value?: LiveChapterDraft[]
  onChange?: (chapters: LiveChapterDraft[]) => void
  /** Titles of the replays that the course has already. */
  media: readonly Choice[]
  /** Names of the channels that it is on already. */
  channels: readonly Choice[]
}

/** 章节课时: chapters in their order, each with its lessons, their channel and time. */
export const LiveChaptersEditor = ({ value = [], onChange, media, channels }: LiveChaptersEditorProps) => {
  const set = (index: number, change: Partial<LiveChapterDraft>) => {
    const chapter = value[index]
    if (chapter) onChange?.(replaced(value, index, { ...chapter, ...change }))
  }
  return (
    <div className="outline">
      {value.map((chapter, index) => {
        const label = `第${index + 1}章`
        return (
          <fieldset key={chapter.key} className="outline-chapter" aria-label={label}>
            <div className="outline-line">
              <Input
                aria-label={`${label}名称`}
                placeholder="章节名称"
                maxLength={60}
                value={chapter.chapterName}
                onChange={(chapterName) => set(index, { chapterName })}
              />
              <Input
                aria-label={`${label}简介`}
                placeholder="章节简介（可不填）"
                maxLength={300}
                value={chapter.chapterDesc ?? ''}
                onChange={(chapterDesc) => set(index, { chapterDesc })}
              />
              <Steps
                of={label}
                first={index === 0}
                last={index === value.length - 1}
                move={(by) => onChange?.(moved(value, index, by))}
                remove={() => onChange?.(without(value, index))}
              />
            </div>
            {chapter.periods.map((period, place) => {
              const lesson = `${label}第${place + 1}课时`
              return (
                <div key={period.key} className="outline-line outline-live">
                  <Period
                    label={lesson}
                    period={period}
                    media={media}
                    channels={channels}
                    change={(change) =>
                      set(index, { periods: replaced(chapter.periods, place, { ...period, ...change }) })
                    }
                  />
                  <Steps
                    of={lesson}
                    first={place === 0}
                    last={place === chapter.periods.length - 1}
                    move={(by) => set(index, { periods: moved(chapter.periods, place, by) })}
                    remove={() => set(index, { periods: without(chapter.periods, place) })}
                  />
                </div>
              )
            })}
            <Button
              size="small"
              type="text"
              icon={<IconPlus />}
              onClick={() => set(index, { periods: [...chapter.periods, newLivePeriod()] })}
            >
              {label}添加课时
            </Button>
          </fieldset>
        )
      })}
      <Button type="outline" icon={<IconPlus />} onClick={() => onChange?.([...value, newLiveChapter()])}>
        添加章节
      </Button>
    </div>
  )
}
