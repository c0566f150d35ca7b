import { Word } from '@/kit/Status'
import type { SettingInputProps } from './settingWords'
import { isRecord } from './settingWords'
import { ValueInput } from './ValueInput'

/** Named values in one line; what must make a sum says how far it is. */
export const ObjectInput = ({ setting, value, onChange }: SettingInputProps) => {
  const fields = isRecord(value) ? value : {}
  const typed = setting.parts.reduce((sum, { key }) => sum + (Number(fields[key]) || 0), 0)
  const isRight = setting.sum === null || setting.sum === undefined || typed === setting.sum
  return (
    <fieldset className="setting-parts" aria-label={setting.name}>
      {setting.parts.map((part) => (
        <div key={part.key} className="setting-part">
          <span>{part.name}</span>
          <ValueInput
            of={part}
            value={fields[part.key]}
            onChange={(changed) => onChange?.({ ...fields, [part.key]: changed })}
            disabled={setting.readOnly}
            aria-label={`${setting.name}：${part.name}`}
          />
        </div>
      ))}
      {setting.sum !== null && setting.sum !== undefined && (
        <Word tone={isRight ? 'good' : 'bad'}>
          合计{typed}
          {!isRight && `，应为${setting.sum}`}
        </Word>
      )}
    </fieldset>
  )
}
