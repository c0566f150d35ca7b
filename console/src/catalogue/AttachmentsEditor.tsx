import { FilesInput } from '@/kit/FilesInput'
import { replaced } from './outline'
import './catalogue.css'

/** Files of a lesson; the server refuses more. */
const MOST = 10
/** What the library takes. */
const KINDS = '.doc,.docx,.xls,.xlsx,.ppt,.pptx,.pdf,.zip'

interface Lesson {
  key: string
  periodName: string
  attachmentKeys: string[]
}

interface Chapter {
  key: string
  chapterName: string
  periods: readonly Lesson[]
}

interface AttachmentsEditorProps<Of extends Chapter> {
  value?: Of[]
  onChange?: (chapters: Of[]) => void
  /** Names of the files that the course has already. */
  known: readonly { file: string; name: string }[]
}

/** 附件: the files of each lesson, whatever kind of lesson it is. */
export const AttachmentsEditor = <Of extends Chapter>(props: AttachmentsEditorProps<Of>) => {
  const { value = [], onChange, known } = props
  if (value.every(({ periods }) => periods.length === 0)) return <p>请先在“章节课时”中添加课时</p>
  return (
    <div className="outline">
      {value.map((chapter, index) => (
        <fieldset
          key={chapter.key}
          className="outline-chapter"
          aria-label={`第${index + 1}章附件`}
          hidden={chapter.periods.length === 0}
        >
          <p className="version-chapter">
            第{index + 1}章 {chapter.chapterName}
          </p>
          {chapter.periods.map((period, place) => (
            <div key={period.key}>
              <p className="version-facts">
                第{place + 1}课时 {period.periodName}
              </p>
              <FilesInput
                by={({ key }) => key}
                purpose="library"
                accept={KINDS}
                most={MOST}
                known={known}
                aria-label={`第${index + 1}章第${place + 1}课时附件`}
                value={period.attachmentKeys}
                onChange={(attachmentKeys) => {
                  const periods = replaced(chapter.periods, place, { ...period, attachmentKeys })
                  onChange?.(replaced(value, index, { ...chapter, periods }))
                }}
              />
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
