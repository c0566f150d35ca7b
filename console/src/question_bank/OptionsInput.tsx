import { Button } from '@arco-design/web-react'
import { IconDelete, IconDown, IconDragDotVertical, IconPlus, IconUp } from '@arco-design/web-react/icon'
import { type DragEvent, useId, useState } from 'react'
import { ContentInput } from './ContentInput'
import { type Choice, letterAt, MOST_CHARACTERS, MOST_OPTIONS, newChoice } from './questionRules'

interface OptionsInputProps {
  /** One is right, or several are. */
  several: boolean
  /** What is right is not shown and stays: so do the letters. */
  unseen?: boolean
  value?: Choice[]
  onChange?: (options: Choice[]) => void
  /** Before the names of its controls, where there are several questions. */
  prefix?: string
  'aria-label'?: string
}

/** 选项: letters follow the order, which is changed by dragging or by the keyboard; what is right is ticked at its option. */
export const OptionsInput = ({
  several,
  unseen = false,
  value = [],
  onChange,
  prefix = '',
  ...named
}: OptionsInputProps) => {
  const group = useId()
  const [dragged, setDragged] = useState<number>()
  const label = named['aria-label'] ?? '选项'
  const change = (at: number, next: Partial<Choice>) =>
    onChange?.(value.map((option, index) => (index === at ? { ...option, ...next } : option)))
  const mark = (at: number, right: boolean) =>
    onChange?.(
      value.map((option, index) => ({ ...option, right: index === at ? right : several ? option.right : false })),
    )
  const move = (from: number, to: number) => {
    const option = value[from]
    if (option && to >= 0 && to < value.length) onChange?.(value.toSpliced(from, 1).toSpliced(to, 0, option))
  }
  const dragging = (at: number) => ({
    onDragOver: (event: DragEvent) => {
      if (dragged !== undefined) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      if (dragged !== undefined) move(dragged, at)
      setDragged(undefined)
    },
  })
  return (
    <fieldset className="options-input" aria-label={`${prefix}${label}`}>
      <ol>
        {value.map(({ key, content, right }, at) => {
          const name = `${prefix}选项${letterAt(at)}`
          return (
            <li key={key} {...dragging(at)}>
              <span
                className="option-grip"
                draggable={!unseen}
                title={unseen ? undefined : '拖动以调整顺序'}
                aria-hidden="true"
                onDragStart={() => setDragged(at)}
                onDragEnd={() => setDragged(undefined)}
              >
                <IconDragDotVertical />
              </span>
              {unseen ? (
                <span className="option-right">{letterAt(at)}</span>
              ) : (
                <label className="option-right">
                  <input
                    type={several ? 'checkbox' : 'radio'}
                    name={group}
                    aria-label={`${name}正确`}
                    checked={right}
                    onChange={(event) => mark(at, event.target.checked)}
                  />
                  {letterAt(at)}
                </label>
              )}
              <ContentInput
                compact
                aria-label={name}
                value={content}
                most={content.length > MOST_CHARACTERS / 2 ? MOST_CHARACTERS : undefined}
                onChange={(html) => change(at, { content: html })}
              />
              <span className="option-buttons">
                <Button
                  type="text"
                  size="mini"
                  icon={<IconUp />}
                  disabled={unseen || at === 0}
                  aria-label={`${name}上移`}
                  onClick={() => move(at, at - 1)}
                />
                <Button
                  type="text"
                  size="mini"
                  icon={<IconDown />}
                  disabled={unseen || at === value.length - 1}
                  aria-label={`${name}下移`}
                  onClick={() => move(at, at + 1)}
                />
                <Button
                  type="text"
                  size="mini"
                  status="danger"
                  icon={<IconDelete />}
                  disabled={unseen || value.length <= 2}
                  title={value.length <= 2 ? '至少需要2个选项' : undefined}
                  aria-label={`删除${name}`}
                  onClick={() => onChange?.(value.toSpliced(at, 1))}
                />
              </span>
            </li>
          )
        })}
      </ol>
      <Button
        size="small"
        icon={<IconPlus />}
        disabled={unseen || value.length >= MOST_OPTIONS}
        title={value.length >= MOST_OPTIONS ? '选项最多26个(A–Z)' : undefined}
        aria-label={prefix ? `${prefix}添加选项` : undefined}
        onClick={() => onChange?.([...value, newChoice()])}
      >
        添加选项
      </Button>
    </fieldset>
  )
}
