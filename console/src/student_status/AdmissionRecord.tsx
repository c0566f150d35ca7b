import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { viewAdmission } from '@/admission/api'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'

type Admission = RowOf<typeof viewAdmission>
type Name = keyof Admission & string

/** What the authority says, in the order of its file; then which file it was, and who audited it. */
const shown: readonly Name[] = [
  'examineeNo',
  'ticketNo',
  'name',
  'gender',
  'birthday',
  'idCardNo',
  'levelName',
  'majorName',
  'authorityMajorCode',
  'authorityMajorName',
  'studyForm',
  'schoolingYears',
  'examCategory',
  'totalScore',
  'bonusScore',
  'admittedOn',
  'preEduLevel',
  'preEduSchool',
  'preEduGraduatedOn',
  'siteName',
  'batchName',
  'fileName',
  'auditedBy',
  'auditedAt',
]

const written = (admission: Admission, name: Name): ReactNode => {
  const value = admission[name]
  if (name === 'idCardNo') {
    const { label } = fieldOf(viewAdmission, name)
    return <Masked entity="admission" id={admission.id} field={name} label={label} value={admission.idCardNo} />
  }
  return name === 'schoolingYears' ? `${admission.schoolingYears}年` : show(viewAdmission, name, value, undefined)
}

/** 录取数据: on what ground somebody was taken. */
export const AdmissionRecord = ({ id }: { id: number }) => {
  const call = useCall()
  const admission = useQuery({
    queryKey: [viewAdmission.path, id],
    queryFn: () => call(viewAdmission, { query: { id } }),
  })
  return (
    <Loaded query={admission} rows={6}>
      {(record) => (
        <Descriptions
          column={2}
          labelStyle={{ width: 112 }}
          data={shown.map((name) => ({
            key: name,
            label: fieldOf(viewAdmission, name).label,
            value: written(record, name),
          }))}
        />
      )}
    </Loaded>
  )
}
