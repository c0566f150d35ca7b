import { Button, Form, Input } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useId, useState } from 'react'
import { RichText } from '@/kit/RichText'
import { TabList } from '@/kit/TabList'
import { type ArticleDraft, MOST_ARTICLES, movedBy, newArticle } from './articles'
import { MaterialSelect } from './MaterialSelect'
import './wechat.css'

/** Characters of an article. */
const LONGEST = 20_000

interface ArticleFieldsProps {
  label: string
  article: ArticleDraft
  change: (change: Partial<ArticleDraft>) => void
}

const ArticleFields = ({ label, article, change }: ArticleFieldsProps) => (
  <>
    <Form.Item label="标题" required>
      <Input aria-label={`${label}标题`} maxLength={64} value={article.title} onChange={(title) => change({ title })} />
    </Form.Item>
    <Form.Item label="作者">
      <Input
        aria-label={`${label}作者`}
        maxLength={16}
        value={article.author ?? ''}
        onChange={(author) => change({ author })}
      />
    </Form.Item>
    <Form.Item label="封面" required extra="图片素材">
      <MaterialSelect
        kind="image"
        aria-label={`${label}封面`}
        value={article.coverId}
        known={article.coverId && article.coverName ? { id: article.coverId, name: article.coverName } : undefined}
        onChange={(coverId) => change({ coverId })}
      />
    </Form.Item>
    <Form.Item label="摘要">
      <Input.TextArea
        aria-label={`${label}摘要`}
        maxLength={120}
        showWordLimit
        value={article.digest ?? ''}
        onChange={(digest) => change({ digest })}
      />
    </Form.Item>
    <Form.Item label="内容" required>
      <RichText
        aria-label={`${label}内容`}
        most={LONGEST}
        value={article.content}
        onChange={(content) => change({ content })}
      />
    </Form.Item>
    <Form.Item label="原文链接" required extra="自动回复图文时，点击后打开的网页">
      <Input
        aria-label={`${label}原文链接`}
        maxLength={300}
        value={article.linkUrl ?? ''}
        onChange={(linkUrl) => change({ linkUrl })}
      />
    </Form.Item>
  </>
)

interface ArticlesEditorProps {
  value?: ArticleDraft[]
  onChange?: (articles: ArticleDraft[]) => void
}

/** 图文: one article after the other; the first one is shown large. */
export const ArticlesEditor = ({ value = [], onChange }: ArticlesEditorProps) => {
  const id = useId()
  const [at, setAt] = useState(0)
  // What stands at a place is another article then, and its text begins anew.
  const [turn, setTurn] = useState(0)
  const place = Math.min(at, value.length - 1)
  const article = value[place]
  const lay = (articles: ArticleDraft[], next: number) => {
    onChange?.(articles)
    setAt(Math.max(0, next))
    setTurn(turn + 1)
  }
  const label = `第${place + 1}篇`
  return (
    <div className="form-whole">
      {value.length > 0 && (
        <TabList
          id={id}
          label="图文"
          tabs={value.map((_, index) => [String(index), `第${index + 1}篇`] as const)}
          value={String(place)}
          onChange={(next) => setAt(Number(next))}
        />
      )}
      {article && (
        <div role="tabpanel" id={`${id}-panel-${place}`} aria-labelledby={`${id}-tab-${place}`}>
          <div className="gzh-article-steps">
            <Button size="mini" disabled={place === 0} onClick={() => lay(movedBy(value, place, -1), place - 1)}>
              前移
            </Button>
            <Button
              size="mini"
              disabled={place === value.length - 1}
              onClick={() => lay(movedBy(value, place, 1), place + 1)}
            >
              后移
            </Button>
            <Button
              size="mini"
              onClick={() =>
                lay(
                  value.filter((_, index) => index !== place),
                  place - 1,
                )
              }
            >
              删除{label}
            </Button>
          </div>
          <ArticleFields
            key={`${turn}-${place}`}
            label={label}
            article={article}
            change={(change) =>
              onChange?.(value.map((each, index) => (index === place ? { ...each, ...change } : each)))
            }
          />
        </div>
      )}
      <Button
        type="outline"
        icon={<IconPlus />}
        disabled={value.length >= MOST_ARTICLES}
        onClick={() => lay([...value, newArticle()], value.length)}
      >
        添加一篇
      </Button>
    </div>
  )
}
