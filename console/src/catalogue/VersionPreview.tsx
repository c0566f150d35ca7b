import { formatSpan, formatTime } from '@/kit/format'
import { RichTextView } from '@/kit/RichTextView'
import type { ComparedVersion, PreviewedPeriod } from './audits'
import { yuanOf } from './courseContent'
import './catalogue.css'

interface LessonProps {
  period: PreviewedPeriod
  media: NonNullable<ComparedVersion['media']>
  attachments: NonNullable<ComparedVersion['attachments']>
}

/** A lesson: when it is given, and what is watched of it. */
const Lesson = ({ period, media, attachments }: LessonProps) => {
  const { periodName, isFree, startsAt, endsAt, mediaAssetId, replayAssetId } = period
  const watched = media.find(({ id }) => id === (mediaAssetId ?? replayAssetId))
  const files = attachments.filter(({ key }) => period.attachmentKeys?.includes(key))
  const facts = [
    isFree && '试看',
    startsAt && `${formatTime(startsAt, 'YYYY-MM-DD HH:mm')}至${formatTime(endsAt, 'YYYY-MM-DD HH:mm')}`,
    watched && `${replayAssetId ? '回放' : '音视频'}：${watched.title}`,
    watched?.duration && formatSpan(watched.duration),
  ]
  return (
    <li>
      {periodName}
      <span className="version-facts">{facts.filter(Boolean).join('，')}</span>
      {files.map(({ key, name, url }) => (
        <p key={key}>
          附件：
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </p>
      ))}
    </li>
  )
}

/** A new lesson has no number yet. */
const keyOf = ({ id, periodName, mediaAssetId, startsAt }: PreviewedPeriod) =>
  id ?? `${periodName} ${mediaAssetId ?? startsAt}`

/** A version as the site would show it. */
export const VersionPreview = ({ of: { content, media = [], attachments = [], fileUrl } }: { of: ComparedVersion }) => {
  const { courseName, cover, introduce, isFree, priceOriginal, priceSale, validDays, chapters = [] } = content
  const price = isFree ? '免费' : `原价${yuanOf(priceOriginal ?? 0)}元，优惠价${yuanOf(priceSale ?? 0)}元`
  return (
    <section className="version-preview" aria-label="预览">
      <img src={cover} alt={`${courseName}的封面`} loading="lazy" />
      <p className="version-name">{courseName}</p>
      <p>
        {price}，{validDays ? `${validDays}天内有效` : '永久有效'}
      </p>
      {introduce && <RichTextView html={introduce} />}
      {chapters.map(({ id, chapterName, chapterDesc, periods }) => (
        <div key={id ?? chapterName}>
          <p className="version-chapter">{chapterName}</p>
          {chapterDesc && <p className="version-facts">{chapterDesc}</p>}
          <ol>
            {periods.map((period) => (
              <Lesson key={keyOf(period)} period={period} media={media} attachments={attachments} />
            ))}
          </ol>
        </div>
      ))}
      {content.resourceFileName && (
        <p>
          文件：
          {fileUrl ? (
            <a href={fileUrl} target="_blank" rel="noopener noreferrer">
              {content.resourceFileName}
            </a>
          ) : (
            content.resourceFileName
          )}
          {content.resourcePages ? `，${content.resourcePages}页` : ''}
        </p>
      )}
    </section>
  )
}
