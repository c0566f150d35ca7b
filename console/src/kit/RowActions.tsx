import { Button, Dropdown, Menu, Tooltip } from '@arco-design/web-react'
import { IconDown } from '@arco-design/web-react/icon'
import type { MouseEvent } from 'react'
import { tellError } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { type RowAction, refusalIn } from './actions'
import { confirm } from './confirm'
import { useReferences } from './references'
import { useAction } from './useAction'

/** More than these go into 更多. */
const MOST = 3

const ActionButton = ({ action }: { action: RowAction }) => {
  const run = useRun(action)
  const button = (
    <Button
      type="text"
      size="small"
      status={action.danger ? 'danger' : undefined}
      disabled={Boolean(action.disabled)}
      loading={run.isPending}
      onClick={(event) => {
        event.stopPropagation()
        run.start()
      }}
    >
      {action.label}
    </Button>
  )
  if (!action.disabled) return button
  // A disabled button tells nothing to the pointer, so what stands around it does; it is reachable by keyboard too.
  return (
    <Tooltip content={action.disabled}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be readable without a mouse */}
      <span className="disabled-reason" role="note" tabIndex={0} aria-label={`${action.label}：${action.disabled}`}>
        {button}
      </span>
    </Tooltip>
  )
}

const useRun = (action: RowAction) => {
  const operation = 'with' in action ? action : undefined
  const references = useReferences()
  const calling = useAction(operation?.do ?? { ...action.do }, {
    done: (answer) => (refusalIn(answer) ? undefined : operation?.done(answer)),
    undo: (answer) => operation?.undo?.(answer),
    onDone: (answer) => {
      const refusal = refusalIn(answer)
      if (refusal) tellError(refusal)
    },
    // What refers to the row is told with the ways to it.
    quiet: references.leads,
    onRefused: references.tell,
  })
  const start = async () => {
    if ('onClick' in action) {
      action.onClick()
      return
    }
    const question = action.confirm && { ...action.confirm, okText: action.label, danger: action.danger }
    if (question && !(await confirm(question))) return
    calling.mutate(action.with)
  }
  return { start, isPending: calling.isPending }
}

const MoreItem = ({ action }: { action: RowAction }) => {
  const run = useRun(action)
  const words = (
    <button
      type="button"
      className={action.danger ? 'more-item more-danger' : 'more-item'}
      disabled={Boolean(action.disabled)}
      onClick={run.start}
    >
      {action.label}
    </button>
  )
  return action.disabled ? (
    <Tooltip content={action.disabled} position="left">
      <span>{words}</span>
    </Tooltip>
  ) : (
    words
  )
}

interface RowActionsProps {
  actions: readonly RowAction[]
  /** All in 更多, where there is no room for buttons. */
  folded?: boolean
}

/** What may be done with a row: at most three buttons, the rest in 更多; what the permission forbids is absent. */
export const RowActions = ({ actions, folded = false }: RowActionsProps) => {
  const allowed = useAllowed()
  const mine = actions.filter((action) => allowed(action.do))
  const shown = folded ? [] : mine.length > MOST ? mine.slice(0, MOST - 1) : mine
  const more = mine.slice(shown.length)
  const stop = (event: MouseEvent) => event.stopPropagation()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: only keeps clicks from opening the row
    <div className="row-actions" onClick={stop}>
      {shown.map((action) => (
        <ActionButton key={action.label} action={action} />
      ))}
      {more.length > 0 && (
        <Dropdown
          trigger="click"
          position="br"
          droplist={
            <Menu>
              {more.map((action) => (
                <Menu.Item key={action.label} disabled={Boolean(action.disabled)}>
                  <MoreItem action={action} />
                </Menu.Item>
              ))}
            </Menu>
          }
        >
          <Button type="text" size="small">
            更多 <IconDown />
          </Button>
        </Dropdown>
      )}
    </div>
  )
}
