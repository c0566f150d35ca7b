import { Button, Checkbox, Input } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { MediaSelect } from '@/courses/MediaSelect'
import type { Choice } from '@/kit/OptionSelect'
import { type ChapterDraft, moved, newChapter, newPeriod, type PeriodDraft } from './courseContent'
import { replaced, Steps, without } from './outline'
import './catalogue.css'

interface PeriodProps {
  label: string
  period: PeriodDraft
  media: readonly Choice[]
  change: (change: Partial<PeriodDraft>) => void
}

const Period = ({ label, period, media, change }: PeriodProps) => (
  <>
    <Input
      aria-label={`${label}名称`}
      placeholder="课时名称"
      maxLength={100}
      value={period.periodName}
      onChange={(periodName) => change({ periodName })}
    />
    <MediaSelect
      aria-label={`${label}音视频`}
      value={period.mediaAssetId}
      known={media.find(({ code }) => code === period.mediaAssetId)}
      onChange={(mediaAssetId) => change({ mediaAssetId })}
    />
    <Checkbox checked={period.isFree} onChange={(isFree) => change({ isFree })}>
      试看
    </Checkbox>
  </>
)

interface ChaptersEditorProps {
  value?: ChapterDraft[]
  onChange?: (chapters: ChapterDraft[]) => void
  /** Titles of the videos that the course has already. */
  media: readonly Choice[]
}

/** 章节课时: chapters in their order, each with its lessons. */
export const ChaptersEditor = ({ value = [], onChange, media }: ChaptersEditorProps) => {
  const set = (index: number, change: Partial<ChapterDraft>) => {
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
                <div key={period.key} className="outline-line outline-period">
                  <Period
                    label={lesson}
                    period={period}
                    media={media}
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
              onClick={() => set(index, { periods: [...chapter.periods, newPeriod()] })}
            >
              {label}添加课时
            </Button>
          </fieldset>
        )
      })}
      <Button type="outline" icon={<IconPlus />} onClick={() => onChange?.([...value, newChapter()])}>
        添加章节
      </Button>
    </div>
  )
}
