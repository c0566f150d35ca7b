import { Button, Input } from '@arco-design/web-react'
import { contrast, isColour, READABLE, readableUnderWhite } from '@/kit/contrast'
import { Word } from '@/kit/Status'
import type { SettingInputProps } from './settingWords'

/** A colour on which white words must be readable: says the contrast, and offers the nearest colour that has enough. */
export const ColorInput = ({ setting, value, onChange }: SettingInputProps) => {
  const text = typeof value === 'string' ? value : ''
  const ratio = isColour(text) ? contrast(text, '#ffffff') : undefined
  const isReadable = ratio !== undefined && ratio >= READABLE
  return (
    <div className="setting-rows">
      <div className="setting-pair">
        <input
          type="color"
          aria-label={`选择${setting.name}`}
          value={isColour(text) ? text : '#165dff'}
          onChange={(event) => onChange?.(event.target.value.toUpperCase())}
        />
        <Input
          aria-label={setting.name}
          value={text}
          maxLength={7}
          placeholder="#165DFF"
          allowClear
          onChange={(typed) => onChange?.(typed)}
        />
      </div>
      {ratio !== undefined && (
        <Word tone={isReadable ? 'good' : 'bad'}>
          与白色文字的对比度{ratio.toFixed(1)}，{isReadable ? '符合要求' : `应不低于${READABLE}`}
        </Word>
      )}
      {ratio !== undefined && !isReadable && (
        <Button size="mini" onClick={() => onChange?.(readableUnderWhite(text).toUpperCase())}>
          改用相近的深色
        </Button>
      )}
    </div>
  )
}
