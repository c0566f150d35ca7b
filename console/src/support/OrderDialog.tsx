import { Button, Modal, Space } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import type { Article, Desk } from './desks'
import { shifted } from './supportRules'
import './support.css'

/** More articles than a category ever has. */
const MOST = 500

interface OrderDialogProps {
  desk: Desk
  categoryId: number
  onClose: () => void
}

/** 调整顺序 of the articles of a category; what is pinned stays before the others. */
export const OrderDialog = ({ desk, categoryId, onClose }: OrderDialogProps) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [desk.list.path, categoryId, 'order'],
    queryFn: ({ signal }) => request(desk.list, { body: { categoryId, pageSize: MOST } }, { signal }),
    gcTime: 0,
  })
  return (
    <Modal title="调整文章顺序" style={{ width: 640 }} visible footer={null} onCancel={onClose} unmountOnExit>
      <Loaded query={query}>
        {/* What stands below the category has an order of its own. */}
        {({ list }) => (
          <Ordered desk={desk} articles={list.filter((each) => each.categoryId === categoryId)} onClose={onClose} />
        )}
      </Loaded>
    </Modal>
  )
}

interface OrderedProps {
  desk: Desk
  articles: readonly Article[]
  onClose: () => void
}

const Ordered = ({ desk, articles, onClose }: OrderedProps) => {
  const [ids, setIds] = useState(() => articles.map(({ id }) => id))
  const saving = useAction(desk.sort, { done: '已保存顺序', onDone: onClose })
  const known = new Map(articles.map((article) => [article.id, article]))
  return (
    <>
      <ol className="help-order" aria-label="文章顺序">
        {ids.map((id, at) => {
          const article = known.get(id)
          return (
            article && (
              <li key={id}>
                <span>
                  {article.title} {article.pinned && <Word tone="busy">置顶</Word>}
                </span>
                <Space size={0}>
                  <Button
                    type="text"
                    size="small"
                    icon={<IconUp />}
                    aria-label={`上移${article.title}`}
                    disabled={known.get(ids[at - 1] ?? 0)?.pinned !== article.pinned}
                    onClick={() => setIds(shifted(ids, id, -1))}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<IconDown />}
                    aria-label={`下移${article.title}`}
                    disabled={known.get(ids[at + 1] ?? 0)?.pinned !== article.pinned}
                    onClick={() => setIds(shifted(ids, id, 1))}
                  />
                </Space>
              </li>
            )
          )
        })}
      </ol>
      <Space>
        <Button
          type="primary"
          disabled={ids.length < 2}
          loading={saving.isPending}
          onClick={() => saving.mutate({ body: { ids } })}
        >
          保存顺序
        </Button>
        <Button onClick={onClose}>取消</Button>
      </Space>
    </>
  )
}
