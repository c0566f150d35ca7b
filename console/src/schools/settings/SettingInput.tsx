import { FileUpload } from '@/kit/FileUpload'
import { PictureUpload } from '@/kit/PictureUpload'
import { ChoicesInput } from './ChoicesInput'
import { ColorInput } from './ColorInput'
import { ObjectInput } from './ObjectInput'
import { PairsInput } from './PairsInput'
import { RowsInput } from './RowsInput'
import type { SettingInputProps } from './settingWords'
import { ValueInput } from './ValueInput'

/** The control of a setting: several values together are a small table, never a text to be parsed. */
export const SettingInput = ({ setting, value, onChange }: SettingInputProps) => {
  const shared = { setting, value, onChange }
  switch (setting.type) {
    case 'object':
      return <ObjectInput {...shared} />
    case 'rows':
      return <RowsInput {...shared} />
    case 'pairs':
      return <PairsInput {...shared} />
    case 'choices':
      return <ChoicesInput {...shared} />
    case 'color':
      return <ColorInput {...shared} />
    case 'file':
      return (
        <FileUpload
          aria-label={setting.name}
          type={3}
          purpose="print"
          accept=".jpg,.jpeg,.png"
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      )
    case 'picture': {
      const small = setting.key === 'ico' || setting.key === 'logoNoWord'
      return (
        <PictureUpload
          aria-label={setting.name}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
          {...(small && { width: 178, height: 178 })}
        />
      )
    }
    default:
      return (
        <ValueInput
          of={setting}
          value={value}
          onChange={onChange}
          disabled={setting.readOnly}
          aria-label={setting.name}
        />
      )
  }
}
