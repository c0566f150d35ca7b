import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import type { Difference, Lead } from './admissionRules'
import { viewAdmission } from './api'
import type { AdmissionView } from './ContactForm'
import './admission.css'

interface ComparisonProps {
  admission: AdmissionView
  lead: Lead
  differences: readonly Difference[]
}

/** 录取 beside 预报名; what differs is marked red and says so. */
export const Comparison = ({ admission, lead, differences }: ComparisonProps) => {
  const gender = (value: string) => labelOf(viewAdmission, 'gender', value)
  const rows: readonly (readonly [label: string, ours: string, theirs: string, difference?: Difference])[] = [
    ['姓名', admission.name, lead.name, 'name'],
    ['性别', gender(admission.gender), gender(lead.gender), 'gender'],
    ['证件号', admission.idCardNo, lead.idCardNo, 'id_card_no'],
    ['手机', admission.phone ?? '', lead.phone],
    ['考生号', admission.examineeNo, lead.examineeNo ?? '', 'examinee_no'],
    ['层次', admission.levelName, lead.levelName, 'level'],
    ['专业', admission.majorName, lead.majorName, 'major'],
    ['站点', admission.siteName ?? '', lead.siteName, 'site'],
  ]
  return (
    <table className="admission-raw">
      <caption className="unseen">录取与预报名对比</caption>
      <thead>
        <tr>
          <th scope="col">项目</th>
          <th scope="col">录取</th>
          <th scope="col">预报名</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, ours, theirs, difference]) => {
          const differs = difference !== undefined && differences.includes(difference)
          return (
            <tr key={label} className={differs ? 'differs' : undefined}>
              <th scope="row">{label}</th>
              <td>{ours || <span className="nothing">—</span>}</td>
              <td>
                {theirs || <span className="nothing">—</span>} {differs && <Word tone="bad">不同</Word>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
