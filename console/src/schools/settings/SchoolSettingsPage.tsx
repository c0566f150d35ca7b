import { useState } from 'react'
import { useLocation } from 'react-router'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { listAvailableSchools } from '../api'
import { schoolOptions } from '../SchoolsSelect'
import { SettingTabs } from './SettingTabs'

const HELP = '院校的名称、品牌、域名和业务规则，保存后立即生效。'

/** 系统设置, inside a school. */
export const OwnSettingsPage = () => (
  <Page title="系统设置" help={HELP}>
    <SettingTabs school="own" />
  </Page>
)

/** 院校设置 of the school that the list leads from. */
export const SchoolSettingsPage = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  return (
    <Page title="院校设置" help={HELP}>
      {id > 0 ? <SettingTabs key={id} school={id} /> : <p>请从院校列表选择院校。</p>}
    </Page>
  )
}

const DEFAULTS = { code: 0, desc: '平台默认' }

/** 院校系统设置: any school, and the settings with which new ones begin. */
export const AllSettingsPage = () => {
  const [chosen, setChosen] = useState(DEFAULTS.code)
  return (
    <Page title="院校系统设置" help="选择院校后修改它的设置；平台默认只用于新开通的院校，不改变已有院校。">
      <div className="setting-school">
        <span>院校</span>
        <OptionSelect
          label="院校"
          options={listAvailableSchools}
          query={schoolOptions}
          value={chosen}
          onChange={(id = DEFAULTS.code) => setChosen(id)}
          known={DEFAULTS}
        />
      </div>
      <SettingTabs key={chosen} school={chosen === DEFAULTS.code ? 'default' : chosen} />
    </Page>
  )
}
