import { Alert, Button, Modal, Space } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { confirm } from '@/kit/confirm'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import type { Article, Desk } from './desks'
import { shifted, shiftRefusal } from './supportRules'
import './support.css'

/** As many articles as one list brings; a category has fewer. */
const MOST = 500

interface OrderDialogProps {
  desk: Desk
  categoryId: number
  onClose: () => void
}

/** 调整顺序 of the articles of a category; what is pinned stays before the others. */
export const OrderDialog = ({ desk, categoryId, onClose }: OrderDialogProps) => {
  const request = useRequest()
  const [moved, setMoved] = useState(false)
  const query = useQuery({
    queryKey: [desk.list.path, categoryId, 'order'],
    queryFn: ({ signal }) => request(desk.list, { body: { categoryId, pageSize: MOST } }, { signal }),
    gcTime: 0,
  })
  const close = async () => {
    if (!moved || (await confirm({ title: '顺序还没有保存，确定关闭吗？', okText: '关闭', danger: true }))) onClose()
  }
  return (
    <Modal title="调整文章顺序" style={{ width: 640 }} visible footer={null} onCancel={close} unmountOnExit>
      <Loaded query={query}>
        {/* What stands below the category has an order of its own. */}
        {({ list, totalCount }) =>
          totalCount > list.length ? (
            <Alert
              type="warning"
              content={`该分类及其下级分类的文章超过${MOST}篇，不能在这里调整顺序，请编辑文章的排序。`}
            />
          ) : (
            <Ordered
              desk={desk}
              articles={list.filter((each) => each.categoryId === categoryId)}
              onMove={() => setMoved(true)}
              onSaved={onClose}
              onClose={close}
            />
          )
        }
      </Loaded>
    </Modal>
  )
}

interface OrderedProps {
  desk: Desk
  articles: readonly Article[]
  /** Another order than the saved one stands there. */
  onMove: () => void
  onSaved: () => void
  onClose: () => void
}

const Ordered = ({ desk, articles, onMove, onSaved, onClose }: OrderedProps) => {
  const [ids, setIds] = useState(() => articles.map(({ id }) => id))
  const saving = useAction(desk.sort, { done: '已保存顺序', onDone: onSaved })
  const known = new Map(articles.map((article) => [article.id, article]))
  const order = ids.flatMap((id) => known.get(id) ?? [])
  const button = (at: number, by: 1 | -1, article: Article) => {
    const refusal = shiftRefusal(order, at, by)
    return (
      <Button
        type="text"
        size="small"
        icon={by < 0 ? <IconUp /> : <IconDown />}
        aria-label={`${by < 0 ? '上移' : '下移'}${article.title}`}
        title={refusal}
        disabled={refusal !== undefined}
        onClick={() => {
          setIds(shifted(ids, article.id, by))
          onMove()
        }}
      />
    )
  }
  return (
    <>
      <ol className="help-order" aria-label="文章顺序">
        {order.map((article, at) => (
          <li key={article.id}>
            <span>
              {article.title} {article.pinned && <Word tone="busy">置顶</Word>}
            </span>
            <Space size={0}>
              {button(at, -1, article)}
              {button(at, 1, article)}
            </Space>
          </li>
        ))}
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
