import { Button, Input, InputNumber, Select } from '@arco-design/web-react'
import { IconDelete } from '@arco-design/web-react/icon'
import { useEnumeration } from '@/settings/useEnumeration'
import { isInside, isText, newElement, POSTER, type PosterElement } from './posterLayout'
import './siteContent.css'

interface PosterElementsProps {
  value?: PosterElement[]
  onChange?: (elements: PosterElement[]) => void
  'aria-label'?: string
}

const MOST = 20
/** What is measured of an element, its label, the least and the most. */
const MEASURES = [
  ['x', '左', 0, POSTER.width - 1],
  ['y', '上', 0, POSTER.height - 1],
  ['w', '宽', 1, POSTER.width],
  ['h', '高', 1, POSTER.height],
] as const

/** 元素: what stands on a poster, a line each, in points of its picture. */
export const PosterElements = ({ value = [], onChange, ...named }: PosterElementsProps) => {
  const label = named['aria-label'] ?? '元素'
  const kinds = useEnumeration('posterElementKind')
  const change = (at: number, next: Partial<PosterElement>) =>
    onChange?.(value.map((element, index) => (index === at ? { ...element, ...next } : element)))
  return (
    <fieldset className="poster-elements" aria-label={label}>
      {value.map((element, at) => {
        const name = `${label}${at + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an element has no name but its place
          <div className="poster-element" key={at}>
            <Select
              aria-label={`${name}类型`}
              value={element.kind}
              options={kinds.map(({ code, desc }) => ({ value: code, label: desc }))}
              onChange={(kind: PosterElement['kind']) =>
                change(at, isText({ kind }) ? { kind } : { kind, color: undefined, size: undefined })
              }
            />
            {MEASURES.map(([field, words, least, most]) => (
              <InputNumber
                key={field}
                aria-label={`${name}${words}`}
                prefix={words}
                min={least}
                max={most}
                precision={0}
                hideControl
                error={!isInside(element)}
                value={element[field]}
                onChange={(points) => change(at, { [field]: points ?? least })}
              />
            ))}
            <Input
              aria-label={`${name}颜色`}
              placeholder="#333333"
              maxLength={7}
              disabled={!isText(element)}
              value={element.color ?? ''}
              onChange={(color) => change(at, { color: color || undefined })}
            />
            <InputNumber
              aria-label={`${name}字号`}
              placeholder="字号"
              min={12}
              max={120}
              precision={0}
              hideControl
              disabled={!isText(element)}
              value={element.size ?? undefined}
              onChange={(size) => change(at, { size })}
            />
            <Button
              type="text"
              status="danger"
              icon={<IconDelete />}
              aria-label={`删除${name}`}
              onClick={() => onChange?.(value.toSpliced(at, 1))}
            />
          </div>
        )
      })}
      <Button disabled={value.length >= MOST} onClick={() => onChange?.([...value, newElement('title')])}>
        添加元素
      </Button>
    </fieldset>
  )
}
