import { Button, Select } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import type { SettingInputProps } from './settingWords'

/** Pairs of the same words: from the left to the right. */
export const PairsInput = ({ setting, value, onChange }: SettingInputProps) => {
  const pairs: unknown[][] = Array.isArray(value) ? value.filter(Array.isArray) : []
  const options = setting.options.map(({ code, desc }) => ({ value: code, label: desc }))
  const choice = (at: number, side: 0 | 1) => {
    const chosen = pairs[at]?.[side]
    return (
      <Select
        aria-label={`第${at + 1}行${side === 0 ? '从' : '到'}`}
        placeholder="请选择"
        options={options}
        value={typeof chosen === 'string' ? chosen : undefined}
        onChange={(code: string) => onChange?.(pairs.with(at, (pairs[at] ?? []).with(side, code)))}
      />
    )
  }
  return (
    <div className="setting-rows">
      {pairs.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
        <div key={at} className="setting-pair">
          {choice(at, 0)}
          <span>→</span>
          {choice(at, 1)}
          <Button
            type="text"
            status="danger"
            icon={<IconDelete />}
            aria-label={`删除第${at + 1}行`}
            onClick={() => onChange?.(pairs.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button
        icon={<IconPlus />}
        onClick={() => onChange?.([...pairs, [null, null]])}
        aria-label={`${setting.name}：添加一行`}
      >
        添加一行
      </Button>
    </div>
  )
}
