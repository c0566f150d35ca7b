import { Button, Drawer } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { ArticleText } from './ArticleText'
import type { Article, ArticleDetail, Desk } from './desks'
import { Files } from './Files'
import { can, restored } from './supportRules'
import './support.css'

const WIDTH = 760

/** Which article is looked at. */
export type Looked = Pick<Article, 'id' | 'source' | 'title'>

interface LookProps extends DrawerProps<Looked> {
  desk: Desk
}

const useArticle = (desk: Desk, article: Looked | undefined, visible: boolean, versionNo?: number) => {
  const request = useRequest()
  return useQuery({
    queryKey: [desk.view.path, article?.source, article?.id, versionNo],
    queryFn: ({ signal }) =>
      request(desk.view, { query: { id: article?.id ?? 0, source: article?.source, versionNo } }, { signal }),
    enabled: visible && article !== undefined,
  })
}

/** As readers see it. */
const Shown = ({ article }: { article: ArticleDetail }) => (
  <article className="help-article">
    <h2>{article.title}</h2>
    <p className="form-hint">
      {article.categoryName}
      {article.keywords.length > 0 && ` · 关键词：${article.keywords.join('、')}`}
    </p>
    <ArticleText html={article.content} pictures={article.pictures} />
    <Files files={article.attachments} />
    {article.videoTitle && <p className="form-hint">视频：{article.videoTitle}</p>}
  </article>
)

/** 预览 of what is being written, or of what the platform published. */
export const ArticlePreview = ({ desk, record, visible, onClose }: LookProps) => {
  const query = useArticle(desk, record, visible)
  const title = `预览 ${record?.title ?? ''}`
  return (
    <Drawer title={title} width={WIDTH} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Loaded query={query}>{(article) => <Shown article={article} />}</Loaded>
    </Drawer>
  )
}

/** 版本 of an article: what was published, each time; an old one comes back as a draft. */
export const VersionsDrawer = ({ desk, record, visible, onClose }: LookProps) => {
  const call = useCall()
  const [chosen, choose] = useState<number>()
  const query = useArticle(desk, record, visible)
  const version = useArticle(desk, record, visible && chosen !== undefined, chosen)
  const writing = useAction(desk.edit, { done: '已恢复为草稿，发布后读者才能看到', onDone: onClose })
  const reading = useMutation({
    // As it stands now: somebody may have edited it meanwhile.
    mutationFn: async (former: ArticleDetail) => restored(await call(desk.view, { query: { id: former.id } }), former),
    onSuccess: (body) => writing.mutate({ body }),
  })
  const refusal = query.data && chosen !== undefined ? can.restore(query.data, chosen) : undefined
  const title = `版本 ${record?.title ?? ''}`
  const restore = async (former: ArticleDetail) => {
    const sure = await confirm({
      title: `将版本${chosen}恢复为草稿？`,
      content: '正在编辑的标题、关键词、正文、附件和视频将被该版本替换；发布后读者才能看到。',
      okText: '恢复为草稿',
    })
    if (sure) reading.mutate(former)
  }
  return (
    <Drawer title={title} width={WIDTH} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Loaded query={query}>
        {({ versions }) =>
          versions.length === 0 ? (
            <p className="nothing">还没有发布过，没有历史版本。</p>
          ) : (
            <ul className="help-versions" aria-label="历史版本">
              {versions.map(({ versionNo, title: named, publishedAt, publishedName }) => (
                <li key={versionNo}>
                  <Button
                    type={versionNo === chosen ? 'primary' : 'text'}
                    aria-pressed={versionNo === chosen}
                    onClick={() => choose(versionNo)}
                  >
                    版本{versionNo}
                  </Button>
                  <span>{named}</span>
                  <span className="form-hint">
                    {publishedName} 发布于 {formatTime(publishedAt)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {chosen !== undefined && (
        <Loaded query={version}>
          {(former) => (
            <>
              <Can do={desk.edit}>
                <Button
                  type="primary"
                  disabled={refusal !== undefined}
                  loading={reading.isPending || writing.isPending}
                  onClick={() => restore(former)}
                >
                  恢复为草稿
                </Button>
                {refusal && <p className="form-hint">{refusal}</p>}
              </Can>
              <Shown article={former} />
            </>
          )}
        </Loaded>
      )}
    </Drawer>
  )
}
