import { Button, Select } from '@arco-design/web-react'
import type { SettingInputProps } from './settingWords'

/** Some of the words, in the order in which they are chosen and can be moved. */
export const ChoicesInput = ({ setting, value, onChange }: SettingInputProps) => {
  const chosen: string[] = Array.isArray(value) ? value.map(String) : []
  const rest = setting.options.filter(({ code }) => !chosen.includes(code))
  return (
    <div className="setting-rows">
      <Select
        aria-label={setting.name}
        mode="multiple"
        dragToSort
        placeholder="请选择"
        value={chosen}
        onChange={onChange}
        options={setting.options.map(({ code, desc }) => ({ value: code, label: `${code} ${desc}` }))}
      />
      {rest.length > 0 && (
        <Button onClick={() => onChange?.([...chosen, ...rest.map(({ code }) => code)])}>
          加入其余{rest.length}项
        </Button>
      )}
    </div>
  )
}
