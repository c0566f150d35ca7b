import { Button, Checkbox, Drawer, Empty, Pagination } from '@arco-design/web-react'
import { IconLeft } from '@arco-design/web-react/icon'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, request } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { isWebAddress, RichTextView } from '@/kit/RichTextView'
import { Word } from '@/kit/Status'
import { listOwnMessages, readOwnMessages } from '@/messages/api'

type Letter = RowOf<typeof listOwnMessages>

const TITLE = '我的消息'
const PAGE_SIZE = 10
/** How often the badge is counted anew. */
const COUNT_MS = 60_000

/** Letters in one's own inbox that were not read yet. */
export const useUnread = () => {
  const atSignIn = useIdentity((state) => state.account?.unreadMsgCount)
  const held = useIdentity((state) => state.mustChangePassword || state.mustSetTotp)
  const unread = useQuery({
    queryKey: [listOwnMessages.path, 'unread'],
    queryFn: () => {
      const body = { unread: true, pageCurrent: 1, pageSize: 1 }
      // Nobody asked for it: a school that is being migrated is not worth a word.
      return request(listOwnMessages, { body }, { quiet: ({ code }) => code === 409 })
    },
    enabled: !held,
    refetchInterval: ({ state }) => (state.error ? false : COUNT_MS),
  })
  return unread.data?.totalCount ?? atSignIn ?? 0
}

const About = ({ letter }: { letter: Letter }) => (
  <span className="letter-about">
    {[labelOf(listOwnMessages, 'msgType', letter.msgType), formatTime(letter.sentAt)].filter(Boolean).join(' · ')}
  </span>
)

/** One letter in the place of the list, until one goes back to it. */
const OpenLetter = ({ letter, onBack }: { letter: Letter; onBack: () => void }) => (
  <article aria-label={letter.title}>
    <Button type="text" size="small" icon={<IconLeft />} onClick={onBack}>
      返回列表
    </Button>
    <h2 className="letter-heading">{letter.title}</h2>
    <About letter={letter} />
    {letter.recalled && <Word>已撤回</Word>}
    <RichTextView html={letter.content} />
    {letter.jumpType === 'url' && letter.jumpTarget && isWebAddress(letter.jumpTarget) && (
      <a href={letter.jumpTarget} target="_blank" rel="noopener noreferrer nofollow">
        查看详情
      </a>
    )}
  </article>
)

const Letters = () => {
  const [page, setPage] = useState(1)
  const [unreadOnly, setUnreadOnly] = useState(false)
  const [open, setOpen] = useState<Letter>()
  const readOnly = useIdentity((state) => state.account?.readOnly) ?? false
  const letters = useQuery({
    queryKey: [listOwnMessages.path, page, unreadOnly],
    queryFn: () => call(listOwnMessages, { body: { pageCurrent: page, pageSize: PAGE_SIZE, unread: unreadOnly } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const read = useMutation({
    mutationFn: (letter: Letter) => call(readOwnMessages, { body: { ids: [letter.id] } }),
    onSuccess: () => refetchAll(),
  })
  const readAll = useMutation({
    mutationFn: () => call(readOwnMessages, { body: {} }),
    onSuccess: () => {
      tellSuccess('已全部标为已读')
      refetchAll()
    },
  })
  // What was read has left the list of the unread, and with it perhaps the last page.
  if (letters.data && !letters.isPlaceholderData && page > Math.max(1, letters.data.totalPage)) setPage(1)
  if (open) return <OpenLetter letter={open} onBack={() => setOpen(undefined)} />

  const show = (letter: Letter) => {
    setOpen(letter)
    // A session that only looks leaves no trace.
    if (!letter.readAt && !readOnly) read.mutate(letter)
  }
  return (
    <>
      <div className="letter-tools">
        <Checkbox
          checked={unreadOnly}
          onChange={(checked) => {
            setUnreadOnly(checked)
            setPage(1)
          }}
        >
          只看未读
        </Checkbox>
        {!readOnly && (
          <Button size="small" loading={readAll.isPending} onClick={() => readAll.mutate()}>
            全部标为已读
          </Button>
        )}
      </div>
      <Loaded query={letters}>
        {({ list, totalCount }) =>
          list.length === 0 ? (
            <Empty description={unreadOnly ? '没有未读消息。' : '还没有消息。服务到期、配额等提醒会显示在这里。'} />
          ) : (
            <>
              <ul className="letters" aria-label={TITLE}>
                {list.map((letter) => (
                  <li key={letter.id}>
                    <button type="button" className="letter" onClick={() => show(letter)}>
                      <span className={letter.readAt ? undefined : 'letter-new'}>{letter.title}</span>
                      {!letter.readAt && <Word tone="busy">未读</Word>}
                      {letter.recalled && <Word>已撤回</Word>}
                      <About letter={letter} />
                    </button>
                  </li>
                ))}
              </ul>
              {totalCount > PAGE_SIZE && (
                <Pagination
                  className="pager"
                  size="small"
                  current={page}
                  pageSize={PAGE_SIZE}
                  total={totalCount}
                  onChange={setPage}
                />
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** 我的消息: what the console's own account was told. It is asked for anew whenever it is opened. */
export const Inbox = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Drawer title={TITLE} width={460} visible={open} onCancel={onClose} footer={null} maskClosable unmountOnExit>
    <DialogName name={TITLE} />
    <Letters />
  </Drawer>
)
