import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { call } from '@/api/client'
import type { DataOf } from '@/api/operation'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { PrintPreview } from '@/kit/PrintPreview'
import { TabList } from '@/kit/TabList'
import { editSchoolInfo, listSchools, viewSchoolInfo } from '../api'
import { askIfRenumbered } from './askIfRenumbered'
import { SettingGroupForm } from './SettingGroupForm'
import type { Setting } from './settingWords'
import '@/kit/formPaper.css'
import './settings.css'

type Info = DataOf<typeof viewSchoolInfo>
type Group = Info['groups'][number]

const tabs = [
  ['basic', '基本信息'],
  ['seal', '印章签名'],
  ['recruitment', '学籍参数'],
  ['preview', '打印预览'],
] as const
type Tab = (typeof tabs)[number][0]

/** Pictures of seals and signatures stand apart. */
const isPicture = ({ type }: Setting) => type === 'file'

/** What the operator keeps of the school; it is changed there alone. */
const Kept = ({ school }: Pick<Info, 'school'>) => (
  <Descriptions
    className="form-lead"
    column={2}
    tableLayout="fixed"
    labelStyle={{ width: 112 }}
    data={[
      { label: '院校名称', value: school.name },
      { label: '简称', value: school.shortName || '—' },
      { label: '院校代码', value: school.code },
      { label: '状态', value: labelOf(listSchools, 'status', school.status) },
      { label: '域名', value: school.domain ?? '—' },
      { label: '地址', value: school.address || '—' },
      {
        label: '标志',
        value: school.logo ? <img className="school-info-logo" src={school.logo} alt={`${school.name}标志`} /> : '—',
      },
    ]}
  />
)

const settingOf = (group: Group | undefined, key: string) => group?.items.find((item) => item.key === key)?.value

/** How printed sheets begin and where the seal stands. */
const Preview = ({ school, group }: { school: Info['school']; group: Group | undefined }) => {
  const header = settingOf(group, 'printHeader')
  const sealed = Boolean(settingOf(group, 'sealImage'))
  return (
    <PrintPreview note="A4 纵向；按已保存的设置，内容为示例">
      <div className="registration-form">
        <h2>{typeof header === 'string' && header ? header : school.name}</h2>
        <h2>成人高等学历继续教育入学登记表</h2>
        <p className="form-about">
          <span>年级：2026级</span>
          <span>学号：2026000001</span>
          <span>站点：校本部</span>
        </p>
        <table>
          <tbody>
            <tr>
              <th scope="row">姓名</th>
              <td>李明</td>
              <th scope="row">性别</th>
              <td>男</td>
            </tr>
            <tr>
              <th scope="row">层次</th>
              <td>专升本</td>
              <th scope="row">专业</th>
              <td>会计学</td>
            </tr>
            <tr>
              <th scope="row">院校意见</th>
              <td className="form-declaration" colSpan={3}>
                <p>{sealed ? '已上传印章，打印在此处' : '（盖章）'}</p>
                <p>
                  <span>经办人：＿＿＿＿＿＿＿＿</span>
                  <span>＿＿＿＿年＿＿月＿＿日</span>
                </p>
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </PrintPreview>
  )
}

const reload = async (name: Group['group']): Promise<Group> => {
  const { groups } = await call(viewSchoolInfo)
  const found = groups.find(({ group }) => group === name)
  if (!found) throw new Error(name)
  return found
}

const Tabs = ({ school, groups }: Info) => {
  const id = useId()
  const [at, setAt] = useState<Tab>('basic')
  const info = groups.find(({ group }) => group === 'school_info')
  const recruitment = groups.find(({ group }) => group === 'recruitment')
  const panel = (tab: Tab, content: ReactNode, className?: string) => (
    <div
      role="tabpanel"
      id={`${id}-panel-${tab}`}
      aria-labelledby={`${id}-tab-${tab}`}
      className={className}
      hidden={at !== tab}
    >
      {content}
    </div>
  )
  return (
    <>
      <TabList id={id} label="学校信息" tabs={tabs} value={at} onChange={setAt} />
      {/* Two tabs of one group: they are saved together. */}
      <div className="setting-panel" hidden={at !== 'basic' && at !== 'seal'}>
        {info && (
          <SettingGroupForm
            schoolId={undefined}
            group={info}
            active={at === 'basic' || at === 'seal'}
            reload={() => reload('school_info')}
            edit={editSchoolInfo}
            ask={askIfRenumbered}
            arrange={(settings, itemOf) => (
              <>
                {panel(
                  'basic',
                  <>
                    <div className="form-wide">
                      <Kept school={school} />
                    </div>
                    {settings.filter((setting) => !isPicture(setting)).map(itemOf)}
                  </>,
                  'form-grid',
                )}
                {panel('seal', settings.filter(isPicture).map(itemOf), 'form-grid')}
              </>
            )}
          />
        )}
      </div>
      {panel(
        'recruitment',
        recruitment && (
          <SettingGroupForm
            schoolId={undefined}
            group={recruitment}
            active={at === 'recruitment'}
            reload={() => reload('recruitment')}
            edit={editSchoolInfo}
          />
        ),
        'setting-panel',
      )}
      {panel('preview', <Preview school={school} group={info} />)}
    </>
  )
}

/** 学校信息: what stands on certificates and printed sheets, and the rules of 招生与学籍 (02 §11.4). */
export const SchoolInfoPage = () => {
  const info = useQuery({ queryKey: [viewSchoolInfo.path], queryFn: () => call(viewSchoolInfo), gcTime: 0 })
  return (
    <Page title="学校信息" help="用于证书、学信网文件和打印材料；名称、域名等由平台维护。">
      <Loaded query={info}>{(shown) => <Tabs {...shown} />}</Loaded>
    </Page>
  )
}
